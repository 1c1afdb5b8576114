package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;

/**
 * Time inside the module: microseconds since the epoch, which is what Postgres stores. Conversions
 * saturate instead of overflowing; what a caller is told to wait is rounded up.
 */
final class Micros {
  static final long SECOND = 1_000_000;
  static final long MILLI = 1_000;

  /** Far enough for everybody (year 33,658), and no sum of two of them overflows. */
  private static final long FURTHEST = 1_000_000_000L * SECOND * 1_000;

  private Micros() {}

  static long of(Instant at) {
    long seconds = Math.clamp(at.getEpochSecond(), -FURTHEST / SECOND, FURTHEST / SECOND);
    return seconds * SECOND + at.getNano() / 1_000;
  }

  static Instant toInstant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, SECOND), Math.floorMod(micros, SECOND) * 1_000);
  }

  /** Rounded up, at most some 30,000 years. */
  static long of(Duration length) {
    long seconds = Math.clamp(length.getSeconds(), -FURTHEST / SECOND, FURTHEST / SECOND);
    return seconds * SECOND + (length.getNano() + 999) / 1_000;
  }

  static long ofSeconds(double seconds) {
    return (long) Math.ceil(Math.clamp(seconds * SECOND, -FURTHEST, FURTHEST));
  }

  static double toSeconds(long micros) {
    return (double) micros / SECOND;
  }

  /**
   * The time a caller is told to come back at: rounded up to a whole millisecond and at least one
   * millisecond from now, so that nobody spins or comes too early.
   */
  static Instant roundedUp(long until, long now) {
    long atLeast = Math.max(until, now + MILLI);
    return toInstant(Math.ceilDiv(atLeast, MILLI) * MILLI);
  }
}
