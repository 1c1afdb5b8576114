package io.penstock.engine.wave;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Spreads a batch over a window: each delivery is due at a place of it that follows from its
 * destination and from what it is about, so that the same item comes at the same place in each
 * wave, and a destination gets its share of every minute. Pure.
 */
public final class Wave {
  public static final Duration LEAST = Duration.ofSeconds(1);

  /** As long as events are kept without anybody waiting for them. */
  public static final Duration MOST = Duration.ofDays(7);

  private static final double NANOS_PER_MICRO = 1_000.0;

  private Wave() {}

  /**
   * Checks a window.
   *
   * @throws IllegalArgumentException unless it is 1 s to 7 days
   */
  public static void check(Duration over) {
    if (over.compareTo(LEAST) < 0 || over.compareTo(MOST) > 0) {
      throw new IllegalArgumentException("over: wanted 1 s to 7 days, got %s".formatted(over));
    }
  }

  /**
   * When something that is spread is due.
   *
   * @param destinationId where it goes
   * @param about what it is about: the same comes at the same place of each wave
   * @param over the window, which begins now
   */
  public static Instant dueAt(String destinationId, String about, Duration over, Instant now) {
    double micros = over.toNanos() / NANOS_PER_MICRO * Phase.of(destinationId, about);
    return now.plus((long) micros, ChronoUnit.MICROS);
  }
}
