package io.penstock.engine.limits;

import io.penstock.budget.BudgetSettings;
import java.time.Duration;

/**
 * All limits of one destination, from the limits file.
 *
 * @param maxAttempts attempts before it dies {@code exhausted}, 1 to 100
 * @param ageLimit age at which it dies {@code expired}
 * @param onUnknown what happens to an attempt that was sent and not answered
 */
public record DestinationLimits(
    BudgetSettings budget, int maxAttempts, Duration ageLimit, OnUnknown onUnknown) {
  public static final DestinationLimits DEFAULT =
      new DestinationLimits(BudgetSettings.DEFAULT, 8, Duration.ofDays(3), OnUnknown.RETRY);

  /** What happens to an attempt that may have arrived. */
  public enum OnUnknown {
    RETRY,
    SHELF
  }

  /** How long a lease lasts: always longer than the attempt's deadline. */
  public Duration lease() {
    return budget.timeout().plus(LEASE_MARGIN);
  }

  /** Time beyond the deadline in which an outcome must be settled. */
  public static final Duration LEASE_MARGIN = Duration.ofSeconds(5);
}
