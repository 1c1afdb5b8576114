package io.penstock.server.cli;

import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** What waits for a destination, as a terminal shows it. The ages are those of the count. */
final class Waiting {
  private static final String UNKNOWN = "?";

  private Waiting() {}

  /** All that waits, for a column; a question mark until the node has counted. */
  static String count(JsonNode waiting) {
    return waiting.isMissingNode()
        ? UNKNOWN
        : "%,d".formatted(waiting.path("ready").asLong(0) + waiting.path("later").asLong(0));
  }

  /** The age of the oldest that may go, for a column. */
  static String oldest(JsonNode waiting) {
    if (waiting.isMissingNode()) {
      return UNKNOWN;
    }
    return waiting.has("oldest_ready_at") ? age(waiting) : "-";
  }

  /** All of it in a line. */
  static String line(JsonNode waiting) {
    if (waiting.isMissingNode()) {
      return "not counted yet";
    }
    StringBuilder line =
        new StringBuilder(
            "%,d ready (%,d of them retries), %,d for later or behind a gate"
                .formatted(
                    waiting.path("ready").asLong(0),
                    waiting.path("retries").asLong(0),
                    waiting.path("later").asLong(0)));
    if (waiting.has("oldest_ready_at")) {
      line.append(
          "; the oldest ready one since %s (%s)"
              .formatted(
                  Times.seconds(waiting.path("oldest_ready_at").asString("")), age(waiting)));
    }
    return line.append("; counted at ")
        .append(Times.seconds(waiting.path("counted_at").asString("")))
        .toString();
  }

  private static String age(JsonNode waiting) {
    Duration age =
        Duration.between(
            Instant.parse(waiting.path("oldest_ready_at").asString("")),
            Instant.parse(waiting.path("counted_at").asString("")));
    return Times.length(Math.max(0, age.toMillis()));
  }
}
