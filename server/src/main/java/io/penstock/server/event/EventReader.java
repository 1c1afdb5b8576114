package io.penstock.server.event;

import io.penstock.server.json.Json;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.problem.ProblemException.Bound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads posted events in one pass over the bytes. Payloads are never parsed into anything: they are
 * skipped, which checks that they are JSON, and cut out of the request as they stand, so that the
 * order of keys, blanks and forms of numbers reach the receiver as the producer wrote them. Safe
 * for use by many threads.
 */
final class EventReader {
  private final Bounds bounds;

  EventReader(Bounds bounds) {
    this.bounds = bounds;
  }

  /** The event that is the whole body. */
  Posted one(byte[] body) {
    try (JsonParser parser = Json.parser(body)) {
      expect(parser, parser.nextToken(), JsonToken.START_OBJECT, "", "an event, as an object");
      Posted posted = new EnvelopeReader(bounds, body, parser, "").read();
      end(parser);
      return posted;
    } catch (JacksonException e) {
      throw Json.malformed(e);
    }
  }

  /**
   * A batch.
   *
   * @param over the window over which it is spread; null = due at once
   */
  record Batch(List<Posted> events, @Nullable Duration over) {}

  /** A batch: an object with the list {@code events} and perhaps {@code over}. */
  Batch batch(byte[] body) {
    try (JsonParser parser = Json.parser(body)) {
      expect(parser, parser.nextToken(), JsonToken.START_OBJECT, "", "an object with events");
      List<Posted> events = null;
      Duration over = null;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        boolean again = name.equals("events") ? events != null : over != null;
        if (again || !(name.equals("events") || name.equals("over"))) {
          throw ProblemException.field(
              name, again ? "it twice" : "an unknown field", "events and over, each once");
        }
        if (name.equals("over")) {
          expect(parser, parser.nextToken(), JsonToken.VALUE_STRING, "over", Windows.WORDS);
          over = Windows.read("over", parser.getString());
        } else {
          expect(parser, parser.nextToken(), JsonToken.START_ARRAY, "events", "a list of events");
          events = items(body, parser);
        }
      }
      end(parser);
      if (events == null || events.isEmpty()) {
        throw ProblemException.field(
            "events", "none", "a list of 1 to %,d events".formatted(bounds.batchItems()));
      }
      return new Batch(events, over);
    } catch (JacksonException e) {
      throw Json.malformed(e);
    }
  }

  private List<Posted> items(byte[] body, JsonParser parser) {
    List<Posted> events = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (events.size() == bounds.batchItems()) {
        throw ProblemException.bound(
            ErrorCode.BODY_TOO_LARGE,
            "a batch holds at most %,d events; send the rest in another".formatted(events.size()),
            new Bound("bounds.batch_items", bounds.batchItems(), -1, "events"));
      }
      String at = "events[%d]".formatted(events.size());
      expect(parser, parser.currentToken(), JsonToken.START_OBJECT, at, "an event, as an object");
      events.add(new EnvelopeReader(bounds, body, parser, at + ".").read());
    }
    return events;
  }

  private static void expect(
      JsonParser parser, JsonToken got, JsonToken wanted, String field, String allowed) {
    if (got != wanted) {
      throw ProblemException.field(
          field.isEmpty() ? "the body" : field,
          EnvelopeReader.kind(parser.currentToken()),
          allowed);
    }
  }

  private static void end(JsonParser parser) {
    if (parser.nextToken() != null) {
      throw ProblemException.of(
          ErrorCode.MALFORMED_JSON,
          "line %d, column %d: wanted the end of the body, got more"
              .formatted(
                  parser.currentTokenLocation().getLineNr(),
                  parser.currentTokenLocation().getColumnNr()));
    }
  }
}
