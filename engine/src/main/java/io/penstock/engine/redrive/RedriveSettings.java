package io.penstock.engine.redrive;

import io.penstock.engine.limits.RedriveLimits;

/**
 * How a redrive goes about it; checked, and fixed at its start.
 *
 * @param ratePerMinute messages released per minute beside the destination's own budget, 1 to
 *     {@value #MOST_RATE}; 0 = as fast as the backlog allows
 * @param lowWatermark it releases only while fewer deliveries than this are ready, 1 to {@value
 *     #MOST_WATERMARK}
 * @param canaryFirst so many are released first and judged, 0 = none, at most {@value #MOST_CANARY}
 * @param canaryPercent it goes on only when at least this share of the canary succeeds, 0 to 100
 * @param abortPercent it ends itself when more than this share of what was judged failed again, 0
 *     to 100; 100 = never
 * @param abortAfter and only when at least so many were judged, 1 to {@value #MOST_CANARY}
 */
public record RedriveSettings(
    int ratePerMinute,
    int lowWatermark,
    int canaryFirst,
    int canaryPercent,
    int abortPercent,
    int abortAfter) {
  public static final int MOST_RATE = 600_000;
  public static final int MOST_WATERMARK = 100_000;
  public static final int MOST_CANARY = 10_000;

  /**
   * As fast as the destination's budget takes it: the watermark keeps the backlog short, so that
   * fresh events go first and an abort comes before much was burnt.
   */
  public static final RedriveSettings DEFAULT = new RedriveSettings(0, 2_000, 0, 90, 100, 20);

  public RedriveSettings {
    in("rate_per_minute", ratePerMinute, 0, MOST_RATE);
    in("low_watermark", lowWatermark, 1, MOST_WATERMARK);
    in("canary.first", canaryFirst, 0, MOST_CANARY);
    in("canary.percent", canaryPercent, 0, 100);
    in("abort.percent", abortPercent, 0, 100);
    in("abort.after", abortAfter, 1, MOST_CANARY);
  }

  /**
   * What the limits file says for a destination. Without a low watermark there it is the default
   * one: a shelf of millions is never moved into the hot table at once.
   */
  public static RedriveSettings of(RedriveLimits limits) {
    Double rate = limits.ratePerMinute();
    Long watermark = limits.lowWatermark();
    Integer canary = limits.canary();
    Double abort = limits.abortAbove();
    return new RedriveSettings(
        rate == null ? 0 : (int) Math.clamp(Math.ceil(rate), 1, MOST_RATE),
        watermark == null ? DEFAULT.lowWatermark : (int) Math.min(watermark, MOST_WATERMARK),
        canary == null ? 0 : Math.min(canary, MOST_CANARY),
        percent(limits.canarySuccess()),
        abort == null ? 100 : percent(abort),
        DEFAULT.abortAfter);
  }

  private static int percent(double share) {
    return (int) Math.round(share * 100);
  }

  private static void in(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be %,d to %,d, got %,d".formatted(name, least, most, value));
    }
  }
}
