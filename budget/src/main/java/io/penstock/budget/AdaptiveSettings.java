package io.penstock.budget;

import java.time.Duration;

/**
 * How one destination's rate follows its answers; every part can be switched off or tuned.
 *
 * @param enabled false leaves the plain token bucket, which still honours Retry-After
 * @param floorPerSecond the rate is never cut below this; 0 = 1/s, or a tenth of a ceiling below
 *     10/s
 * @param parkAfterFailures park after so many failures in a row; 0 = never park
 * @param parkAfterSilence and only after so long without a success
 * @param probeGap the time between park and the first probe, then doubled
 * @param maxProbeGapThrottled the longest gap while the receiver answers that it is too much
 * @param maxProbeGapFailing the longest gap while it fails, times out or refuses connections
 * @param retryShare how much of what is sent may be retries, 0 to 1, while answers are bad; 1 = any
 * @param retriesPerSecond and so many retries besides
 */
public record AdaptiveSettings(
    boolean enabled,
    double floorPerSecond,
    int parkAfterFailures,
    Duration parkAfterSilence,
    Duration probeGap,
    Duration maxProbeGapThrottled,
    Duration maxProbeGapFailing,
    double retryShare,
    double retriesPerSecond) {

  /** Longer than that is a closed destination. */
  private static final Duration LONGEST_GAP = Duration.ofHours(1);

  public static final AdaptiveSettings DEFAULT =
      new AdaptiveSettings(
          true,
          0,
          20,
          Duration.ofSeconds(4),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          0.2,
          1);

  /** The plain token bucket: no cuts, no park, no allowance for retries. */
  public static final AdaptiveSettings OFF =
      new AdaptiveSettings(
          false,
          0,
          0,
          Duration.ZERO,
          DEFAULT.probeGap,
          DEFAULT.maxProbeGapThrottled,
          DEFAULT.maxProbeGapFailing,
          1,
          0);

  public AdaptiveSettings {
    Checks.within("floor_per_second", floorPerSecond, 0, BudgetSettings.MAX_RATE_PER_SECOND);
    Checks.within("park_after_failures", parkAfterFailures, 0, 1_000_000);
    Checks.within("park_after_silence", parkAfterSilence, Duration.ZERO, LONGEST_GAP);
    Checks.within("probe_gap", probeGap, Duration.ofMillis(100), LONGEST_GAP);
    Checks.within("max_probe_gap_throttled", maxProbeGapThrottled, probeGap, LONGEST_GAP);
    Checks.within("max_probe_gap_failing", maxProbeGapFailing, probeGap, LONGEST_GAP);
    Checks.within("retry_share", retryShare, 0, 1);
    Checks.within("retries_per_second", retriesPerSecond, 0, BudgetSettings.MAX_RATE_PER_SECOND);
  }

  /** The floor under this ceiling, per second. */
  double floor(double ceiling) {
    double wanted = floorPerSecond > 0 ? floorPerSecond : ceiling < 10 ? ceiling / 10 : 1;
    return Math.min(wanted, ceiling);
  }
}
