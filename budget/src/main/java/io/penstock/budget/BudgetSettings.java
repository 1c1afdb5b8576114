package io.penstock.budget;

import java.time.Duration;

/**
 * What an operator set for one destination. Checks itself; a message names the field, what was got
 * and what is allowed.
 *
 * @param ratePerSecond the ceiling, 0 (closed) to 1,000,000 requests per second
 * @param burst the most tokens that can be stored, 1 to 1,000,000
 * @param slots the most attempts in flight at once, 1 to 10,000
 * @param timeout the overall deadline of one attempt; bounds the lease of a probe
 */
public record BudgetSettings(double ratePerSecond, int burst, int slots, Duration timeout) {
  public static final BudgetSettings DEFAULT =
      new BudgetSettings(50, 200, 32, Duration.ofSeconds(15));
}
