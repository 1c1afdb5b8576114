package io.penstock.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.engine.host.SystemHost;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.cli.PenstockCommand;
import io.penstock.server.json.Json;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The shelf, the cancel and the audit as an operator uses them, over HTTP and on a terminal. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ShelfApiTest {
  private static final int LOOKS = 600;

  private final TestingApi api;
  private final Path folder;
  private final HttpServer receiver;
  private final SystemHost host = new SystemHost();

  ShelfApiTest(TestDatabase database, @TempDir Path folder) throws IOException {
    this.api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
    this.folder = folder;
    this.receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 9);
    receiver.createContext("/", ShelfApiTest::refuse);
    receiver.start();
  }

  private static void refuse(HttpExchange exchange) throws IOException {
    byte[] answer = "order 17 is \u001b[31m unknown".getBytes(UTF_8);
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(422, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @BeforeAll
  void oneDiesOneWaitsOneIsDisabled() throws IOException {
    Files.writeString(folder.resolve("key"), api.adminKey());
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    for (String id : List.of("dies", "waits", "off")) {
      api.post(
          "/v1/destinations",
          "{\"id\":\"%s\",\"tenant\":\"acme\",\"url\":\"%s\"}"
              .formatted(id, "http://127.0.0.1:%d/".formatted(receiver.getAddress().getPort())));
    }
    api.post("/v1/destinations/waits/pause", "{\"reason\":\"test\"}");
    api.post("/v1/destinations/off/disable", "{\"reason\":\"test\"}");
    for (int i = 0; i < 3; i++) {
      post("dies", "order.paid");
    }
    post("off", "order.made");
    await(() -> api.get("/v1/shelf").json().path("items").size() == 4);
    await(() -> counted() == 4);
  }

  @AfterAll
  void stop() {
    api.close();
    receiver.stop(0);
    host.close();
  }

  private String post(String destination, String type) {
    Answered posted =
        api.post(
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"%s\",\"payload\":{\"n\":1},\"destinations\":[\"%s\"]}"
                .formatted(type, destination));
    assertThat(posted.status()).isEqualTo(202);
    return posted.text("event_id");
  }

  private long counted() {
    long sum = 0;
    for (JsonNode group : api.get("/v1/shelf/groups").json().path("items")) {
      sum += group.path("count").asLong(0);
    }
    return sum;
  }

  private void await(Supplier<Boolean> wanted) {
    for (int i = 0; i < LOOKS; i++) {
      if (wanted.get()) {
        return;
      }
      host.newSignal().awaitBeyond(0, Duration.ofMillis(50));
    }
    throw new AssertionError("it did not come to that");
  }

  private String type(int code, String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(
        List.of("--url", api.url().toString(), "--key-file", folder.resolve("key").toString()));
    int got =
        PenstockCommand.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    assertThat(got).as(err.toString()).isEqualTo(code);
    return out.toString() + err;
  }

  @Test
  void anEventIsShownWithItsDeliveriesAndItsPayloadGoesIntoAFile() throws IOException {
    String event =
        api.get("/v1/shelf?reason=rejected&limit=1").json().at("/items/0/event_id").asString("");
    assertThat(type(0, "event", event))
        .contains("event " + event, "type order.paid", "7 bytes of application/json")
        .containsPattern("ACCEPTED .*NEXT OR END")
        .containsPattern("dead +first +1 +422 +rejected +ended 20")
        .doesNotContain("{\"n\"");
    Path file = folder.resolve("payload");
    assertThat(type(0, "event", event, "--payload-to", file.toString())).contains("written to");
    assertThat(file).hasContent("{\"n\":1}");
    String unknown = "00000000-0000-7000-8000-000000000000";
    assertThat(type(3, "event", unknown, "--payload-to", file.toString())).contains("404");
    assertThat(file).hasContent("{\"n\":1}");
  }

  @Test
  void aDeadLetterIsShownWithItsReasonItsRemedyAndWhatTheReceiverSaid() {
    JsonNode listed = api.get("/v1/shelf?reason=rejected&limit=1").json().at("/items/0");
    Answered shown = api.get("/v1/dead-letters/" + listed.path("number").asString(""));
    assertThat(shown.json().path("dead_letter")).isEqualTo(listed);
    assertThat(listed.path("outcome").asString("")).isEqualTo("rejected");
    assertThat(listed.path("last_status").asInt(0)).isEqualTo(422);
    assertThat(listed.path("type").asString("")).isEqualTo("order.paid");
    assertThat(shown.json().at("/remedy/next").asString("")).contains("redrive");
    assertThat(shown.json().at("/payload/kept").asBoolean(false)).isTrue();
    assertThat(shown.json().path("attempts").size()).isEqualTo(1);
    assertThat(shown.json().path("state").asString("")).isEqualTo("dead");
    Answered payload = api.get(shown.json().at("/payload/path").asString(""));
    assertThat(payload.response().body()).isEqualTo("{\"n\":1}".getBytes(UTF_8));
    assertThat(api.get("/v1/dead-letters/999999").status()).isEqualTo(404);
  }

  @Test
  void groupsCountByCauseAndATenantDoesNotSeeWhatItsReceiverAnswered() {
    JsonNode biggest = api.get("/v1/shelf/groups?destination=dies").json().at("/items/0");
    assertThat(biggest.path("count").asInt(0)).isEqualTo(3);
    assertThat(biggest.path("phrase").asString("")).isEqualTo("order # is # unknown");
    assertThat(biggest.at("/remedy/means").asString("")).contains("never take it");
    String tenant = api.key("[\"tenant-reader\"]", "[\"acme\"]");
    JsonNode theirs =
        api.call("GET", "/v1/shelf/groups?destination=dies", tenant, null, Map.of())
            .json()
            .at("/items/0");
    assertThat(theirs.path("count").asInt(0)).isEqualTo(3);
    assertThat(theirs.has("phrase")).isFalse();
    JsonNode letter =
        api.call("GET", "/v1/shelf?destination=dies", tenant, null, Map.of()).json().at("/items/0");
    assertThat(letter.has("response_head")).isFalse();
    assertThat(api.get("/v1/shelf/groups?tenant=nobody").json().path("items").size()).isZero();
  }

  @Test
  void filtersAndCursorsAreCheckedAndNarrow() {
    assertThat(api.get("/v1/shelf?type=order.made").json().path("items").size()).isEqualTo(1);
    assertThat(api.get("/v1/shelf?status=422&since=1h").json().path("items").size()).isEqualTo(3);
    assertThat(api.get("/v1/shelf?until=1h").json().path("items").size()).isZero();
    assertThat(api.get("/v1/shelf?show=released").json().path("items").size()).isZero();
    for (String wrong :
        List.of(
            "reason=cancelled", "status=x", "since=soon", "show=some", "cursor=x", "type=a b")) {
      Answered refused = api.get("/v1/shelf?" + wrong.replace(" ", "%20"));
      assertThat(refused.status()).as(wrong).isEqualTo(400);
    }
    Answered first = api.get("/v1/shelf?limit=3");
    assertThat(first.json().path("items").size()).isEqualTo(3);
    Answered rest = api.get("/v1/shelf?limit=3&cursor=" + first.text("next_cursor"));
    assertThat(rest.json().path("items").size()).isEqualTo(1);
    Answered groups = api.get("/v1/shelf/groups?limit=1");
    assertThat(groups.json().path("has_more").asBoolean(false)).isTrue();
    assertThat(
            api.get("/v1/shelf/groups?limit=1&cursor=" + groups.text("next_cursor"))
                .json()
                .path("items")
                .size())
        .isEqualTo(1);
  }

  @Test
  void theExportIsOneJsonObjectPerLineWithPayloadsOnRequest() {
    String plain = type(0, "shelf", "export");
    assertThat(plain.lines())
        .hasSize(4)
        .allSatisfy(line -> {
          assertThat(Json.tree(line).at("/dead_letter/number").asLong(0)).isPositive();
          assertThat(Json.tree(line).has("event")).isFalse();
        });
    String full = type(0, "shelf", "export", "--payloads", "--reason", "rejected");
    assertThat(full.lines())
        .hasSize(3)
        .allSatisfy(line ->
            assertThat(Json.tree(line).at("/event/payload_base64").asString(""))
                .isEqualTo("eyJuIjoxfQ=="));
  }

  @Test
  void aTerminalShowsTheShelfAndObeysNothingOfAStrangersBytes() {
    String groups = type(0, "shelf", "groups");
    assertThat(groups).contains("COUNT").contains("order # is # unknown").contains("rejected: ");
    String list = type(0, "shelf", "ls", "--destination", "dies", "--limit", "2");
    assertThat(list).contains("422").contains("more: --cursor");
    String number =
        api.get("/v1/shelf?reason=rejected&limit=1").json().at("/items/0/number").asString("");
    String shown = type(0, "shelf", "show", number);
    assertThat(shown)
        .contains("what next")
        .contains("order 17 is")
        .contains("on the shelf")
        .doesNotContain("\u001b");
    assertThat(type(0, "shelf", "ls", "--tenant", "nobody")).contains("Nothing on the shelf");
    assertThat(type(0, "shelf", "groups", "--tenant", "nobody")).contains("empty");
    assertThat(Json.tree(type(0, "shelf", "ls", "--json").strip()).path("items").size())
        .isEqualTo(4);
  }

  @Test
  void aTenantsDataIsCountedThenErasedUnderAConfirmation() {
    api.post("/v1/tenants", "{\"id\":\"leaving\"}");
    api.post(
        "/v1/destinations",
        "{\"id\":\"theirs\",\"tenant\":\"leaving\",\"url\":\"http://127.0.0.1:9999/\"}");
    assertThat(type(0, "tenants", "erasures")).contains("No tenant");
    String plan = type(0, "tenants", "erase", "leaving");
    assertThat(plan).contains("1 destinations").contains("Nothing was changed");
    String confirmation = plan.replaceAll("(?s).*--confirm ([0-9a-f]{12}).*", "$1");
    assertThat(type(2, "tenants", "erase", "leaving", "--confirm", confirmation))
        .contains("--reason");
    assertThat(type(3, "tenants", "erase", "leaving", "--confirm", "0123456789ab", "--reason", "x"))
        .contains("a plan of the last ten minutes");
    assertThat(
            type(0, "tenants", "erase", "leaving", "--confirm", confirmation, "--reason", "asked"))
        .contains("erasing leaving");
    await(() -> api.get("/v1/erasures").json().at("/items/0").has("done_at"));
    assertThat(type(0, "tenants", "erasures")).contains("leaving").contains("asked");
    assertThat(type(0, "audit", "--action", "tenant.erased")).contains("leaving");
    assertThat(api.get("/v1/tenants/leaving/erasure-plan").status()).isEqualTo(404);
  }

  @Test
  void waitingOnesAreCountedThenCancelledAndTheAuditTellsWhoAndWhy() {
    String kept = post("waits", "order.kept");
    post("waits", "price.changed");
    post("waits", "price.changed");
    assertThat(type(2, "cancel", "--type", "price.changed")).contains("--destination or --tenant");
    assertThat(type(2, "cancel", "--destination", "waits")).contains("--reason");
    String dry =
        type(0, "cancel", "--destination", "waits", "--type", "price.changed", "--dry-run");
    assertThat(dry).contains("2 would be cancelled").contains("nothing was changed");
    assertThat(
            type(0, "cancel", "--tenant", "acme", "--type", "price.changed", "--reason", "stale"))
        .contains("2 cancelled");
    assertThat(type(0, "cancel", "--tenant", "acme", "--type", "price.changed", "--reason", "x"))
        .contains("Nothing waits");
    assertThat(api.get("/v1/deliveries/waits/" + kept).json().at("/delivery/state").asString(""))
        .isEqualTo("paused");
    String audit = type(0, "audit", "--subject", "waits", "--action", "delivery.cancel_many");
    assertThat(audit).contains("stale").contains("2 deliveries").contains("key:");
    Answered paused = api.get("/v1/audit?action=gate&subject=waits&tenant=acme&since=1h");
    assertThat(paused.json().at("/items/0/action").asString("")).isEqualTo("gate.pause");
    assertThat(type(0, "audit", "--lines").lines().count()).isGreaterThan(6);
    assertThat(type(0, "audit", "--action", "no.such")).contains("Nothing in the audit");
    assertThat(
            api.post("/v1/deliveries/cancel", "{\"destination\":\"none\",\"reason\":\"x\"}")
                .status())
        .isEqualTo(404);
    assertThat(api.post("/v1/deliveries/cancel", "{\"type\":\"a\",\"reason\":\"x\"}").status())
        .isEqualTo(422);
  }
}
