package io.penstock.engine.limits;

import io.penstock.budget.BudgetSettings;
import java.time.Duration;

/**
 * All limits of one destination, from the limits file.
 *
 * @param maxAttempts attempts before it dies {@code exhausted}, 1 to 100
 * @param ageLimit age at which it dies {@code expired}, 1 s to 30 days
 * @param onUnknown what happens to an attempt that was sent and not answered
 */
public record DestinationLimits(
    BudgetSettings budget, int maxAttempts, Duration ageLimit, OnUnknown onUnknown) {
  /** More attempts than this are a loop, not patience. */
  public static final int MAX_MAX_ATTEMPTS = 100;

  /** Events are kept as long as a delivery waits, and not for ever. */
  public static final Duration MAX_AGE_LIMIT = Duration.ofDays(30);

  /** Least and most time beyond the deadline in which an outcome must be settled. */
  static final Duration LEAST_MARGIN = Duration.ofSeconds(1);

  static final Duration MOST_MARGIN = Duration.ofSeconds(5);

  public static final DestinationLimits DEFAULT =
      new DestinationLimits(BudgetSettings.DEFAULT, 8, Duration.ofDays(3), OnUnknown.RETRY);

  /** What happens to an attempt that may have arrived. */
  public enum OnUnknown {
    RETRY,
    SHELF
  }

  public DestinationLimits {
    if (maxAttempts < 1 || maxAttempts > MAX_MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "max_attempts must be 1 to %d, got %d".formatted(MAX_MAX_ATTEMPTS, maxAttempts));
    }
    if (ageLimit.compareTo(Duration.ofSeconds(1)) < 0 || ageLimit.compareTo(MAX_AGE_LIMIT) > 0) {
      throw new IllegalArgumentException(
          "age_limit must be 1 s to %d d, got %s".formatted(MAX_AGE_LIMIT.toDays(), ageLimit));
    }
  }

  /**
   * How long a lease lasts: the attempt's deadline and as much again, at least 1 s and at most 5 s.
   * There is no setting, so that no lease can be shorter than its attempt.
   */
  public Duration lease() {
    Duration deadline = budget.timeout();
    Duration margin = deadline;
    if (margin.compareTo(LEAST_MARGIN) < 0) {
      margin = LEAST_MARGIN;
    } else if (margin.compareTo(MOST_MARGIN) > 0) {
      margin = MOST_MARGIN;
    }
    return deadline.plus(margin);
  }
}
