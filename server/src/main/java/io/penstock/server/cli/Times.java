package io.penstock.server.cli;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.JsonNode;

/** Times and lengths of the API as a terminal shows them. */
final class Times {
  private Times() {}

  /** A time to the second; text that is none stays as it is. */
  static String seconds(String time) {
    try {
      return Instant.parse(time).truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeParseException e) {
      return time;
    }
  }

  /** A length with about two figures. */
  static String length(long millis) {
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 120_000) {
      return "%.1f s".formatted(millis / 1_000.0);
    }
    if (millis < 7_200_000) {
      return "%d min".formatted(millis / 60_000);
    }
    return millis < 172_800_000
        ? "%.1f h".formatted(millis / 3_600_000.0)
        : "%d d".formatted(millis / 86_400_000);
  }

  /** When something is expected to go: "now", "in 3.2 s", "in > 4 h", "when somebody acts". */
  static String expected(JsonNode estimate) {
    if (estimate.isMissingNode()) {
      return "-";
    }
    long millis = estimate.path("wait_ms").asLong(0);
    if (millis == 0) {
      return "now";
    }
    return (estimate.path("at_least").asBoolean(false) ? "in > " : "in ") + length(millis);
  }
}
