package io.penstock.server.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.Header;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.outbox.OutboxReader;
import io.penstock.engine.outbox.OutboxRefusal;
import io.penstock.engine.outbox.OutboxRow;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application enqueued obeys the rules of what a producer posts. */
class OutboxEventsTest {
  private static final UUID ID = new UUID(1, 2);

  private final OutboxEvents events = new OutboxEvents(Bounds.DEFAULT, () -> ID);

  /** A row that is right, of which a test changes something. */
  private static final class Row {
    String tenant = "acme";
    String type = "order.paid";
    byte[] payload = "{\"z\": 1,  \"a\": 1.50}".getBytes(UTF_8);
    boolean text = true;
    String contentType = "application/json";
    String headers = "{}";
    String urgency = "interactive";
    @Nullable String key;
    @Nullable String operation;
    @Nullable String version;
    List<String> destinations = List.of();

    OutboxRow made() {
      return new OutboxRow(
          1,
          tenant,
          type,
          payload,
          text,
          contentType,
          headers,
          urgency,
          key,
          operation,
          version,
          destinations,
          0);
    }
  }

  private final Row row = new Row();

  private NewEvent event() {
    return ((OutboxReader.Event) events.read(row.made())).event();
  }

  private String refusal() {
    assertThat(events.read(row.made())).isInstanceOf(OutboxReader.Unfit.class);
    OutboxRefusal why = ((OutboxReader.Unfit) events.read(row.made())).why();
    assertThat(why.reason()).isEqualTo(OutboxRefusal.Reason.INVALID);
    return why.detail();
  }

  @Test
  @DisplayName("case 33: a payload keeps its bytes")
  void everythingIsRead() {
    row.headers = "{\"X-Case-Kept\": \"v 1\"}";
    row.urgency = "batch";
    row.operation = "order/17";
    row.version = "3";
    row.destinations = List.of("dst_1", "dst_2");
    NewEvent event = event();
    assertThat(event.eventId()).isEqualTo(ID);
    assertThat(new String(event.body(), UTF_8)).isEqualTo("{\"z\": 1,  \"a\": 1.50}");
    assertThat(event.headers()).containsExactly(new Header("X-Case-Kept", "v 1"));
    assertThat(event.urgency()).isEqualTo(Urgency.BATCH);
    assertThat(event.idempotencyKey()).isEqualTo("order/17@3");
    assertThat(event.destinationIds()).containsExactly("dst_1", "dst_2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{} {}", "nil", "{\"a\":1", "\u0000", "\ufeff1"})
  void textThatSaysItIsJsonMustBe(String payload) {
    row.payload = payload.getBytes(UTF_8);
    assertThat(refusal()).isNotEmpty();
  }

  @Test
  void deepNestingIsRefusedAndOtherTypesAreAnyBytes() {
    row.payload = "[".repeat(100_000).getBytes(UTF_8);
    assertThat(refusal()).contains("nested deeper than 200");
    row.contentType = "text/plain";
    assertThat(event().body()).hasSize(100_000);
    row.contentType = "application/json";
    row.text = false;
    assertThat(event().body()).as("bytes are not looked into").hasSize(100_000);
  }

  @Test
  void boundsAreThoseOfTheServer() {
    row.payload = new byte[Bounds.DEFAULT.bodyBytes() + 1];
    assertThat(refusal()).contains("262,145 bytes; at most 262,144");
  }

  @Test
  void eachFieldIsCheckedAndNamed() {
    row.tenant = "a b";
    assertThat(refusal()).startsWith("tenant: wanted 1 to 64");
    row.tenant = "acme";
    row.type = "bad type";
    assertThat(refusal()).startsWith("type: wanted");
    row.type = "t";
    row.urgency = "soon";
    assertThat(refusal()).isEqualTo("urgency: wanted interactive or batch, got soon");
    row.urgency = "batch";
    row.contentType = "json\r\nX: y";
    assertThat(refusal()).startsWith("content_type: wanted a media type");
    row.contentType = "application/json";
    row.key = "a b";
    assertThat(refusal()).startsWith("idempotency_key: wanted 1 to 255");
    row.key = null;
    row.operation = "o";
    assertThat(refusal()).startsWith("source_version: wanted operation and source_version");
    row.version = "1@2";
    assertThat(refusal()).startsWith("source_version: wanted 1 to 100");
    row.version = "1";
    row.key = "k";
    assertThat(refusal()).startsWith("idempotency_key: wanted either");
    row.key = null;
    row.destinations = List.of("dst_1", "dst_1");
    assertThat(refusal()).contains("dst_1 twice");
    row.destinations = Collections.nCopies(2, "no id!");
    assertThat(refusal()).startsWith("destinations: wanted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "null",
        "{\"a\":1}",
        "{\"Host\":\"x\"}",
        "{\"webhook-signature\":\"x\"}",
        "{\"X\":\"a\\r\\nY: b\"}",
        "{\"a\"",
      })
  void headersThatMayNotBeSetAreRefused(String headers) {
    row.headers = headers;
    assertThat(refusal()).isNotEmpty();
  }
}
