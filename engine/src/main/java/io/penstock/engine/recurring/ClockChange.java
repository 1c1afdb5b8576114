package io.penstock.engine.recurring;

/**
 * What a cron schedule does on the days on which its zone moves the clock.
 *
 * @param gap a local time that does not exist, since the clock was set forward over it
 * @param repeat a local time that exists twice, since the clock was set back over it
 */
public record ClockChange(Gap gap, Repeat repeat) {

  /** A local time that does not exist. */
  public enum Gap {
    /** It comes at the first moment after the gap; several of one gap come there once. */
    AFTER,
    /** It does not come on that day. */
    SKIP
  }

  /** A local time that exists twice. */
  public enum Repeat {
    FIRST,
    SECOND,
    /** It comes twice: what runs every hour runs every hour. */
    BOTH
  }

  /** For what comes at set hours: once on every day. */
  public static final ClockChange ONCE_A_DAY = new ClockChange(Gap.AFTER, Repeat.FIRST);

  /** For what comes at every hour: as if the clock were not moved. */
  public static final ClockChange EVERY_HOUR = new ClockChange(Gap.SKIP, Repeat.BOTH);
}
