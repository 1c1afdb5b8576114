package io.penstock.engine.limits;

import org.jspecify.annotations.Nullable;

/**
 * What a redrive to a destination does unless it is told otherwise. Checks itself.
 *
 * @param ratePerMinute messages released per minute, over 0 to 60,000,000; null = as fast as the
 *     budget goes
 * @param lowWatermark releases only while fewer than this many are ready, 1 to 1,000,000,000; null
 *     = always
 * @param canary how many are released first, 1 to 1,000,000; null = none
 * @param canarySuccess the share of the canary that must be delivered, 0 to 1
 * @param abortAbove the share of the released that may fail again, 0 to 1; null = never aborts
 */
public record RedriveLimits(
    @Nullable Double ratePerMinute,
    @Nullable Long lowWatermark,
    @Nullable Integer canary,
    double canarySuccess,
    @Nullable Double abortAbove) {

  public static final double MOST_PER_MINUTE = 60_000_000;
  public static final long MOST_WATERMARK = 1_000_000_000;
  public static final int MOST_CANARY = 1_000_000;

  public static final RedriveLimits DEFAULT = new RedriveLimits(null, null, null, 0.9, null);

  public RedriveLimits {
    if (ratePerMinute != null && !(ratePerMinute > 0 && ratePerMinute <= MOST_PER_MINUTE)) {
      throw outside("rate_per_minute", ratePerMinute, "over 0 to 60,000,000");
    }
    if (lowWatermark != null && (lowWatermark < 1 || lowWatermark > MOST_WATERMARK)) {
      throw outside("low_watermark", lowWatermark, "1 to 1,000,000,000");
    }
    if (canary != null && (canary < 1 || canary > MOST_CANARY)) {
      throw outside("canary", canary, "1 to 1,000,000");
    }
    if (!(canarySuccess >= 0 && canarySuccess <= 1)) {
      throw outside("canary_success", canarySuccess, "0 to 1");
    }
    if (abortAbove != null && !(abortAbove >= 0 && abortAbove <= 1)) {
      throw outside("abort_above", abortAbove, "0 to 1");
    }
  }

  private static IllegalArgumentException outside(String key, Object got, String wanted) {
    return new IllegalArgumentException("redrive.%s is %s, wanted %s".formatted(key, got, wanted));
  }
}
