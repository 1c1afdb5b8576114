package io.penstock.engine.limits;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a retry waits: the base times the factor for each attempt spent, up to the longest,
 * uniform between half of it and the whole. The wide jitter keeps the retries of a shared outage
 * from coming back together.
 *
 * @param base after the first attempt
 * @param factor at least 1
 * @param longest at least the base
 */
public record Backoff(Duration base, double factor, Duration longest) {
  /** 5 s × 5ⁿ up to 6 h: eight attempts within about 13 hours. */
  public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(5), 5, Duration.ofHours(6));

  public Backoff {
    if (!base.isPositive() || factor < 1 || longest.compareTo(base) < 0) {
      throw new IllegalArgumentException(
          "back-off wants base > 0, factor >= 1, longest >= base; got base %s, factor %s, longest %s"
              .formatted(base, factor, longest));
    }
  }

  /**
   * The wait after so many spent attempts.
   *
   * @param spent attempts spent so far, 1 or more
   */
  public Duration after(int spent, RandomGenerator random) {
    double whole =
        Math.min(
            (double) longest.toMillis(),
            (double) base.toMillis() * Math.pow(factor, Math.max(0, spent - 1)));
    return Duration.ofMillis(Math.round(whole * (0.5 + 0.5 * random.nextDouble())));
  }
}
