package io.penstock.server.cli;

import java.time.Duration;

/** Durations as people say them. */
final class Durations {
  private Durations() {}

  /** For instance {@code 2 h 5 min}. */
  static String words(long seconds) {
    Duration duration = Duration.ofSeconds(seconds);
    if (duration.toDays() > 0) {
      return "%d d %d h".formatted(duration.toDays(), duration.toHoursPart());
    }
    if (duration.toHours() > 0) {
      return "%d h %d min".formatted(duration.toHours(), duration.toMinutesPart());
    }
    if (duration.toMinutes() > 0) {
      return "%d min %d s".formatted(duration.toMinutes(), duration.toSecondsPart());
    }
    return seconds + " s";
  }
}
