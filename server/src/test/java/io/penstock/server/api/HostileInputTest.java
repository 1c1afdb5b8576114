package io.penstock.server.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.Raw;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no client should send: each is answered with what was wanted, and never with a 500. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileInputTest {
  private final TestingApi api;

  HostileInputTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @BeforeAll
  void aTenant() {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private static String event(String fields) {
    return "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1" + fields + "}";
  }

  static Stream<Arguments> bodies() {
    String long65 = "x".repeat(65);
    return Stream.of(
        Arguments.of("nothing", "/v1/events", "", 400, "malformed_json", ""),
        Arguments.of("a list", "/v1/events", "[]", 422, "invalid_field", "the body"),
        Arguments.of("cut off", "/v1/events", "{\"type\":", 400, "malformed_json", ""),
        Arguments.of(
            "a raw NUL", "/v1/events", event(",\"urgency\":\"\0\""), 400, "malformed_json", ""),
        Arguments.of(
            "an escaped NUL in an id",
            "/v1/events",
            event(",\"destinations\":[\"a\\u0000\"]"),
            422,
            "invalid_field",
            "destinations"),
        Arguments.of(
            "an escaped NUL in a key",
            "/v1/events",
            event(",\"idempotency_key\":\"\\u0000\""),
            422,
            "invalid_field",
            "idempotency_key"),
        Arguments.of(
            "an escaped NUL in a header",
            "/v1/events",
            event(",\"headers\":{\"A\":\"\\u0000\"}"),
            422,
            "invalid_field",
            "headers.A"),
        Arguments.of(
            "a line end in a header",
            "/v1/events",
            event(",\"headers\":{\"A\":\"b\\r\\nC: d\"}"),
            422,
            "invalid_field",
            "headers.A"),
        Arguments.of(
            "broken UTF-8",
            "/v1/events",
            event(",\"urgency\":\"\u00c3(\""),
            400,
            "malformed_json",
            ""),
        Arguments.of(
            "overlong UTF-8",
            "/v1/events",
            event(",\"urgency\":\"\u00c0\u00af\""),
            400,
            "malformed_json",
            ""),
        Arguments.of(
            "half a pair",
            "/v1/tenants",
            "{\"id\":\"b\",\"name\":\"\\ud800\"}",
            422,
            "invalid_field",
            "name"),
        Arguments.of(
            "a NUL in a name",
            "/v1/tenants",
            "{\"id\":\"b\",\"name\":\"a\\u0000b\"}",
            422,
            "invalid_field",
            "name"),
        Arguments.of(
            "a name too long",
            "/v1/tenants",
            "{\"id\":\"b\",\"name\":\"%s\"}".formatted("x".repeat(201)),
            422,
            "invalid_field",
            "name"),
        Arguments.of(
            "an id too long",
            "/v1/tenants",
            "{\"id\":\"%s\"}".formatted(long65),
            422,
            "invalid_field",
            "id"),
        Arguments.of(
            "an id with a slash", "/v1/tenants", "{\"id\":\"a/b\"}", 422, "invalid_field", "id"),
        Arguments.of(
            "an id that is a number", "/v1/tenants", "{\"id\":7}", 422, "invalid_field", "id"),
        Arguments.of(
            "a field twice",
            "/v1/tenants",
            "{\"id\":\"b\",\"id\":\"c\"}",
            400,
            "malformed_json",
            ""),
        Arguments.of(
            "a field twice in an event",
            "/v1/events",
            event(",\"type\":\"u\""),
            422,
            "invalid_field",
            "type"),
        Arguments.of(
            "an unknown field",
            "/v1/events",
            event(",\"tennant\":\"x\""),
            422,
            "invalid_field",
            "tennant"),
        Arguments.of(
            "deep nesting",
            "/v1/events",
            event(",\"headers\":" + "[".repeat(5_000)),
            422,
            "invalid_field",
            "headers"),
        Arguments.of(
            "a deep payload",
            "/v1/events",
            "{\"type\":\"t\",\"payload\":" + "[".repeat(5_000),
            400,
            "malformed_json",
            ""),
        Arguments.of(
            "deep nesting of a small body",
            "/v1/tenants",
            "{\"id\":" + "[".repeat(5_000),
            400,
            "malformed_json",
            ""),
        Arguments.of(
            "an endless number",
            "/v1/tenants",
            "{\"id\":" + "9".repeat(50_000) + "}",
            422,
            "invalid_field",
            "id"),
        Arguments.of(
            "an endless number as payload",
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":" + "9".repeat(100_000) + "}",
            202,
            "",
            ""),
        Arguments.of(
            "an endless name",
            "/v1/tenants",
            "{\"%s\":1}".formatted("n".repeat(5_000)),
            400,
            "malformed_json",
            ""),
        Arguments.of(
            "more after the end", "/v1/events", event("") + event(""), 400, "malformed_json", ""),
        Arguments.of(
            "a payload over the bound",
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":\"" + "x".repeat(262_200) + "\"}",
            413,
            "body_too_large",
            ""),
        Arguments.of(
            "a body over the bound", "/v1/events", " ".repeat(600_000), 413, "body_too_large", ""),
        Arguments.of(
            "a small body over the bound",
            "/v1/tenants",
            " ".repeat(70_000),
            413,
            "body_too_large",
            ""),
        Arguments.of(
            "bad base64",
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"t\",\"payload_base64\":\"%%%\"}",
            422,
            "invalid_field",
            "payload_base64"),
        Arguments.of(
            "two payloads",
            "/v1/events",
            event(",\"payload_base64\":\"AA==\""),
            422,
            "invalid_field",
            "payload"),
        Arguments.of(
            "an unknown tenant",
            "/v1/events",
            "{\"tenant\":\"nobody\",\"type\":\"t\",\"payload\":1}",
            422,
            "invalid_field",
            "tenant"),
        Arguments.of(
            "an empty batch",
            "/v1/events/batch",
            "{\"events\":[]}",
            422,
            "invalid_field",
            "events"),
        Arguments.of(
            "a batch of numbers",
            "/v1/events/batch",
            "{\"events\":[1]}",
            422,
            "invalid_field",
            "events[0]"),
        Arguments.of(
            "a file URL",
            "/v1/destinations",
            "{\"tenant\":\"acme\",\"url\":\"file:///etc/passwd\"}",
            422,
            "invalid_field",
            "url"),
        Arguments.of(
            "a URL with a password",
            "/v1/destinations",
            "{\"tenant\":\"acme\",\"url\":\"http://a:b@example.com/\"}",
            422,
            "address_refused",
            "url"),
        Arguments.of(
            "a secret in the clear",
            "/v1/destinations",
            "{\"tenant\":\"acme\",\"url\":\"http://example.com/\",\"secrets\":[\"whsec_abc\"]}",
            422,
            "invalid_field",
            "secrets[0]"),
        Arguments.of(
            "a header of ours",
            "/v1/destinations",
            "{\"tenant\":\"acme\",\"url\":\"http://example.com/\",\"headers\":{\"Host\":\"x\"}}",
            422,
            "invalid_field",
            "headers.Host"),
        Arguments.of(
            "a list for an object",
            "/v1/destinations",
            "{\"tenant\":\"acme\",\"url\":\"http://example.com/\",\"headers\":[]}",
            422,
            "invalid_field",
            "headers"),
        Arguments.of(
            "an unknown scope",
            "/v1/keys",
            "{\"scopes\":[\"root\"]}",
            422,
            "invalid_field",
            "scopes"),
        Arguments.of(
            "a producer of no tenant",
            "/v1/keys",
            "{\"scopes\":[\"producer\"]}",
            422,
            "invalid_field",
            "tenants"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void aBodyThatIsNotAcceptableIsAnsweredWithItsField(
      String name, String path, String body, int status, String code, String field) {
    Answered answered =
        api.send(
            HttpRequest.newBuilder(api.url().resolve(path))
                .header("Authorization", "Bearer " + api.adminKey())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body.getBytes(ISO_8859_1)))
                .build());
    assertThat(answered.status()).as(answered.json().toString()).isEqualTo(status);
    assertThat(answered.text("code")).isEqualTo(code);
    assertThat(answered.json().at("/errors/0/field").asString("")).isEqualTo(field);
    if (status == 413) {
      assertThat(answered.json().at("/bound/allowed").asInt(0)).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/deliveries?limit=0, 400",
    "/v1/deliveries?limit=251, 400",
    "/v1/deliveries?limit=99999999999, 400",
    "/v1/deliveries?limit=1&limit=2, 400",
    "/v1/deliveries?cursor=%25%25, 400",
    "/v1/deliveries?cursor=aTE6eA, 400",
    "/v1/deliveries?state=lost, 400",
    "/v1/deliveries?event=7, 400",
    "/v1/deliveries?api_key=ps_x, 400",
    "/v1/deliveries?tenant=%00, 400",
    "/v1/destinations/%00, 400",
    "/v1/destinations/a%0ab, 400",
    "/v1/destinations/..%2f..%2fetc, 400",
    "/v1/destinations/%ff%fe, 400",
    "/v1/destinations/%zz, 400",
    "/v1/events/not-a-uuid, 400",
    "/v1/events/0199c0de-0000-7000-8000-000000000000, 404",
    "/v1/nowhere, 404",
    "/, 404",
  })
  void aUrlThatIsNotAcceptableIsAnswered(String path, int status) {
    String answer =
        Raw.exchange(
            api.url(),
            "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                .formatted(path, api.adminKey()));
    assertThat(answer)
        .startsWith("HTTP/1.1 %d ".formatted(status))
        .contains("application/problem+json")
        .contains("\"type\":\"urn:penstock:problem:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n\r\n",
        "NONSENSE\r\n\r\n",
        "GET /v1/tenants HTTP/9.9\r\nHost: x\r\n\r\n",
        "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nzz",
        "GET /v1/tenants HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n",
      })
  void bytesThatAreNoHttpAreNeverA500(String request) {
    String answer =
        Raw.exchange(api.url(), request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    assertThat(answer).doesNotContain(" 500 ").doesNotContain("jetty").doesNotContain("Exception");
    if (!answer.isEmpty()) {
      assertThat(answer).containsPattern("^HTTP/1.1 (4\\d\\d|505) ");
    }
  }

  @Test
  void headersOverTheirBoundAreRefused() {
    String answer =
        Raw.exchange(
            api.url(),
            "GET /v1/tenants HTTP/1.1\r\nHost: x\r\nX-Long: %s\r\n\r\n"
                .formatted("x".repeat(20_000)));
    assertThat(answer).startsWith("HTTP/1.1 431 ");
  }

  @Test
  void oldHttpIsAnswered() {
    assertThat(Raw.exchange(api.url(), "GET /livez HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aBodyOfAnotherTypeIsRefused() {
    Answered form =
        api.send(
            HttpRequest.newBuilder(api.url().resolve("/v1/tenants"))
                .header("Authorization", "Bearer " + api.adminKey())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("id=1"))
                .build());
    assertThat(form.status()).isEqualTo(415);
    assertThat(form.text("detail")).contains("application/json");
  }

  @Test
  void aMethodThatIsNotThereIsRefused() {
    assertThat(api.call("DELETE", "/v1/tenants", api.adminKey(), null, Map.of()).status())
        .isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Basic YTpi", "Bearer", "Bearer ", "Bearer ps_x", "Bearer \u00e9"})
  void aCallWithoutAKeyIsRefused(String authorization) {
    String answer =
        Raw.exchange(
            api.url(),
            "GET /v1/tenants HTTP/1.1\r\nHost: x\r\n%sConnection: close\r\n\r\n"
                .formatted(
                    authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n"));
    assertThat(answer).startsWith("HTTP/1.1 401 ").contains("WWW-Authenticate: Bearer");
  }

  @Test
  void nothingOfARefusedBatchIsStored() {
    Answered refused =
        api.post(
            "/v1/events/batch",
            "{\"events\":[%s,{\"type\":\"t\"}]}".formatted(event(",\"idempotency_key\":\"half\"")));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().at("/errors/0/field").asString("")).isEqualTo("events[1].payload");
    Answered first = api.post("/v1/events", event(",\"idempotency_key\":\"half\""));
    assertThat(first.header("Idempotent-Replayed")).isEmpty();
  }
}
