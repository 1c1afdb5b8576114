package io.penstock.server.shelf;

import io.penstock.postgres.read.DeadLetterView;
import io.penstock.postgres.read.EventReads;
import io.penstock.postgres.read.EventView;
import io.penstock.postgres.read.Page;
import io.penstock.server.http.Answer;
import io.penstock.server.json.Json;
import io.penstock.server.page.Cursors;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters as JSON lines, a page at a time: whoever exports asks for the next one until there
 * is none, and neither side ever holds more than a page.
 */
final class ShelfLines {
  /** A page with payloads ends when it is this big. */
  private static final int MOST_BYTES = 4 << 20;

  private final EventReads events;

  ShelfLines(EventReads events) {
    this.events = events;
  }

  /**
   * One line.
   *
   * @param event its bytes; null when they were not asked for, or are gone
   */
  record Line(DeadLetterBody deadLetter, @Nullable Payload event) {}

  /** An event's bytes. */
  record Payload(String contentType, String idempotencyKey, String payloadBase64) {}

  Answer answer(Page<DeadLetterView, Long> page, boolean inside, boolean payloads) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Long next = page.next();
    List<DeadLetterView> items = page.items();
    for (int i = 0; i < items.size(); i++) {
      DeadLetterView view = items.get(i);
      Payload payload = payloads ? payload(view).orElse(null) : null;
      out.writeBytes(Json.write(new Line(DeadLetterBody.of(view, inside), payload)));
      out.write('\n');
      if (out.size() >= MOST_BYTES && i + 1 < items.size()) {
        next = view.deadLetterNo();
        break;
      }
    }
    Answer answer = Answer.of(200, "application/x-ndjson", out.toByteArray());
    String cursor = Cursors.of(next);
    return cursor == null ? answer : answer.with("Penstock-Next-Cursor", cursor);
  }

  private Optional<Payload> payload(DeadLetterView view) {
    return events.find(view.key().eventId(), true).flatMap(ShelfLines::payload);
  }

  private static Optional<Payload> payload(EventView event) {
    byte[] body = event.content().body();
    return body == null
        ? Optional.empty()
        : Optional.of(
            new Payload(
                event.content().contentType(),
                event.content().idempotencyKey(),
                Base64.getEncoder().encodeToString(body)));
  }
}
