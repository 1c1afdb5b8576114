package io.penstock.server.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.Header;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventReaderTest {
  private final EventReader reader = new EventReader(Bounds.DEFAULT);

  private Posted read(String json) {
    return reader.one(json.getBytes(UTF_8));
  }

  private static ProblemException refused(Runnable reading) {
    return org.assertj.core.api.Assertions.catchThrowableOfType(
        ProblemException.class, reading::run);
  }

  @ParameterizedTest
  @DisplayName("case 33: a payload keeps the order of keys, blanks, escapes and forms of numbers")
  @ValueSource(
      strings = {
        "{\"z\" : 1,\t\"a\":  2.50e+01, \"z\": [ ]}",
        "[1.0, 10, 1e2, -0, 0.10]",
        "\"text with \\u00e9 and é and \\\"quotes\\\"\"",
        "123456789012345678901234567890.000",
        "-7",
        "true",
        "null",
        "{}",
        "{\"deep\":{\"er\":[{\"x\":\"}\"}]}}",
        "\"🦊\\ud83e\\udd8a\"",
      })
  void aPayloadIsKeptByteForByte(String payload) {
    for (String envelope :
        List.of(
            "{\"type\":\"a.b\",\"payload\":%s}",
            "{\"payload\": %s , \"type\":\"a.b\"}",
            "\n{ \"type\" : \"a.b\" ,\n\t\"payload\"\n:\n%s\n}\n")) {
      assertThat(read(envelope.formatted(payload)).body()).isEqualTo(payload.getBytes(UTF_8));
    }
  }

  @Test
  void everyFieldIsRead() {
    Posted posted =
        read(
            """
            {"tenant":"acme","type":"order.paid","content_type":"application/vnd.x+json",
             "headers":{"X-Case-Kept":"v 1"},"payload":{"a":1},"urgency":"batch",
             "operation":"order/17","source_version":"3","destinations":["dst_1","dst_2"],
             "item":"https://example.com/é 🦊"}\
            """);
    assertThat(posted.tenant()).isEqualTo("acme");
    assertThat(posted.type()).isEqualTo("order.paid");
    assertThat(posted.contentType()).isEqualTo("application/vnd.x+json");
    assertThat(posted.headers()).containsExactly(new Header("X-Case-Kept", "v 1"));
    assertThat(posted.urgency()).isEqualTo(Urgency.BATCH);
    assertThat(posted.idempotencyKey()).isEqualTo("order/17@3");
    assertThat(posted.destinations()).containsExactly("dst_1", "dst_2");
    assertThat(posted.item()).isEqualTo("https://example.com/é 🦊");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\"", "\"a\\u0000b\"", "\"\\ud800\"", "\"a\\nb\"", "17", "null"})
  void anItemIsAPrintableText(String item) {
    ProblemException refused =
        refused(() -> read("{\"type\":\"t\",\"payload\":1,\"item\":%s}".formatted(item)));
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refused).hasMessageContaining("item").hasMessageContaining("printable");
  }

  @Test
  void anItemHas256CharactersAtMost() {
    String json = "{\"type\":\"t\",\"payload\":1,\"item\":\"%s\"}";
    assertThat(read(json.formatted("🦊".repeat(256))).item()).hasSize(512);
    assertThat(refused(() -> read(json.formatted("x".repeat(257)))).code())
        .isEqualTo(ErrorCode.INVALID_FIELD);
  }

  @Test
  void base64BringsAnyBytes() {
    Posted posted =
        read("{\"type\":\"t\",\"content_type\":\"image/png\",\"payload_base64\":\"AP/+\"}");
    assertThat(posted.body()).containsExactly(0, 0xff, 0xfe);
  }

  @Test
  void whatIsLeftOutHasItsDefault() {
    Posted posted = read("{\"type\":\"t\",\"payload\":1}");
    assertThat(posted.tenant()).isNull();
    assertThat(posted.contentType()).isEqualTo("application/json");
    assertThat(posted.urgency()).isEqualTo(Urgency.INTERACTIVE);
    assertThat(posted.idempotencyKey()).isNull();
    assertThat(posted.destinations()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host",
        "Host",
        "Content-Length",
        "webhook-signature",
        "Transfer-Encoding",
        "X Y",
        ""
      })
  @DisplayName("case 39: a header that is ours is refused when it is posted")
  void aForbiddenHeaderIsRefused(String name) {
    ProblemException e =
        refused(() ->
            read("{\"type\":\"t\",\"payload\":1,\"headers\":{\"%s\":\"v\"}}".formatted(name)));
    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(e.faults().getFirst().field()).isEqualTo("headers." + name);
  }

  @Test
  void anUnknownFieldNamesTheNearest() {
    ProblemException e = refused(() -> read("{\"type\":\"t\",\"paylod\":1}"));
    assertThat(e.detail()).contains("paylod").contains("did you mean payload?");
  }

  @Test
  void aFaultInABatchNamesItsItem() {
    ProblemException e =
        refused(() ->
            reader.batch(
                "{\"events\":[{\"type\":\"t\",\"payload\":1},{\"type\":7,\"payload\":1}]}"
                    .getBytes(UTF_8)));
    assertThat(e.faults().getFirst().field()).isEqualTo("events[1].type");
    assertThat(e.faults().getFirst().got()).isEqualTo("a number");
  }

  @Test
  void aBatchOverItsBoundNamesTheBound() {
    String events = "{\"type\":\"t\",\"payload\":1},".repeat(1_001);
    String body = "{\"events\":[" + events.substring(0, events.length() - 1) + "]}";
    ProblemException e = refused(() -> reader.batch(body.getBytes(UTF_8)));
    assertThat(e.code()).isEqualTo(ErrorCode.BODY_TOO_LARGE);
    assertThat(e.bound()).isNotNull();
    assertThat(java.util.Objects.requireNonNull(e.bound()).name()).isEqualTo("bounds.batch_items");
  }

  @Test
  void aPayloadOverItsBoundNamesTheBound() {
    String payload = "\"" + "x".repeat(256 << 10) + "\"";
    ProblemException e = refused(() -> read("{\"type\":\"t\",\"payload\":" + payload + "}"));
    assertThat(e.code()).isEqualTo(ErrorCode.BODY_TOO_LARGE);
    assertThat(java.util.Objects.requireNonNull(e.bound()).name()).isEqualTo("bounds.body_bytes");
    assertThat(java.util.Objects.requireNonNull(e.bound()).got()).isEqualTo((256 << 10) + 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "7",
        "{",
        "{\"type\":\"t\",\"payload\":1} x",
        "{\"type\":\"t\",\"payload\":{\"a\":}}",
        "{\"type\":\"t\",\"payload\":NaN}",
        "{\"type\":\"t\",\"payload\":'x'}",
        "\u0000",
        "{\"type\":\"t\",\"payload\":\"\u0000\"}",
        "\ufeff{}",
      })
  void whatIsNoEventIsRefusedAndNeverABug(String body) {
    assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> read(body));
  }

  @Test
  void nestingThatIsTooDeepIsRefused() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    ProblemException e = refused(() -> read("{\"type\":\"t\",\"payload\":" + deep + "}"));
    assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_JSON);
    assertThat(e.detail()).contains("nested deeper than 200");
  }

  @Test
  void operationAndVersionMakeOneKeyOnlyTogether() {
    ProblemException e = refused(() -> read("{\"type\":\"t\",\"payload\":1,\"operation\":\"o\"}"));
    assertThat(e.faults().getFirst().field()).isEqualTo("source_version");
  }
}
