package io.penstock.server.why;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Numbers and times as people say them. */
final class Words {
  private Words() {}

  /** A duration: about two figures. */
  static String length(Duration duration) {
    if (duration.toMillis() < 1_000) {
      return "%d ms".formatted(Math.max(0, duration.toMillis()));
    }
    if (duration.toSeconds() < 120) {
      return "%.1f s".formatted(duration.toMillis() / 1_000.0);
    }
    if (duration.toMinutes() < 120) {
      return "%d min".formatted(duration.toMinutes());
    }
    return duration.toHours() < 48
        ? "%.1f h".formatted(duration.toMinutes() / 60.0)
        : "%d d".formatted(duration.toDays());
  }

  /** A time, to the second. */
  static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** A count that stops at a bound. */
  static String count(long count, long bound) {
    return count >= bound ? "%,d or more".formatted(bound) : "%,d".formatted(count);
  }
}
