package io.penstock.engine.recurring;

import java.time.Duration;

/**
 * What becomes of instants that came while nobody looked.
 *
 * @param within what is older is skipped and counted; 1 min to 31 days
 * @param missed what becomes of those that are not
 */
public record CatchUp(Duration within, Missed missed) {
  public static final Duration LEAST = Duration.ofMinutes(1);
  public static final Duration MOST = Duration.ofDays(31);

  /** After an outage the newest instant of the last hour is made up. */
  public static final CatchUp DEFAULT = new CatchUp(Duration.ofHours(1), Missed.ONCE);

  /** Of several missed instants. */
  public enum Missed {
    /** The newest is made up; the others are counted as merged into it. */
    ONCE,
    /** Each is made up, oldest first. */
    EACH
  }

  public CatchUp {
    if (within.compareTo(LEAST) < 0 || within.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "catch_up.within: wanted 1 min to 31 days, got %s".formatted(within));
    }
  }
}
