package io.penstock.budget;

import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.work.WorkSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an operator set for one destination. Checks itself; a message names the field, what was got
 * and what is allowed.
 *
 * @param ratePerSecond the ceiling, 0 (closed) to 1,000,000 requests per second
 * @param burst the most tokens that can be stored, 1 to 1,000,000
 * @param slots the most attempts in flight at once, 1 to 10,000
 * @param timeout the overall deadline of one attempt, over 0 up to 1 h; bounds the lease of a probe
 * @param adaptive how the rate follows the answers
 * @param quota the provider's calendar quota; null = none
 * @param work the share of workers, for a tube; null = unmetered
 * @param autoDisable when it is disabled because it only fails; null = never
 */
public record BudgetSettings(
    double ratePerSecond,
    int burst,
    int slots,
    Duration timeout,
    AdaptiveSettings adaptive,
    @Nullable QuotaSettings quota,
    @Nullable WorkSettings work,
    @Nullable AutoDisable autoDisable) {
  /** More than one destination can take from one ledger. */
  public static final double MAX_RATE_PER_SECOND = 1_000_000;

  /** As much as a second of the greatest rate. */
  public static final int MAX_BURST = 1_000_000;

  /** More than a node has sockets for one host. */
  public static final int MAX_SLOTS = 10_000;

  /** Longer than any request; jobs of tubes renew their leases instead. */
  public static final Duration MAX_TIMEOUT = Duration.ofHours(1);

  public static final BudgetSettings DEFAULT =
      new BudgetSettings(50, 200, 32, Duration.ofSeconds(15));

  public BudgetSettings {
    Checks.within("rate_per_second", ratePerSecond, 0, MAX_RATE_PER_SECOND);
    Checks.within("burst", burst, 1, MAX_BURST);
    Checks.within("slots", slots, 1, MAX_SLOTS);
    Checks.within("timeout", timeout, Duration.ofMillis(1), MAX_TIMEOUT);
  }

  /** With the adaptive part as it comes, no quota and unmetered. */
  public BudgetSettings(double ratePerSecond, int burst, int slots, Duration timeout) {
    this(ratePerSecond, burst, slots, timeout, AdaptiveSettings.DEFAULT, null, null, null);
  }

  /** The same with another ceiling and burst. */
  public BudgetSettings withRate(double newRatePerSecond, int newBurst) {
    return new BudgetSettings(
        newRatePerSecond, newBurst, slots, timeout, adaptive, quota, work, autoDisable);
  }

  /** The same with another limit of attempts in flight. */
  public BudgetSettings withSlots(int newSlots) {
    return new BudgetSettings(
        ratePerSecond, burst, newSlots, timeout, adaptive, quota, work, autoDisable);
  }

  /** The same with another adaptive part, for instance {@link AdaptiveSettings#OFF}. */
  public BudgetSettings with(AdaptiveSettings newAdaptive) {
    return new BudgetSettings(
        ratePerSecond, burst, slots, timeout, newAdaptive, quota, work, autoDisable);
  }

  /** The same with a calendar quota. */
  public BudgetSettings with(QuotaSettings newQuota) {
    return new BudgetSettings(
        ratePerSecond, burst, slots, timeout, adaptive, newQuota, work, autoDisable);
  }

  /** The same without a share of workers. */
  public BudgetSettings unmetered() {
    return new BudgetSettings(
        ratePerSecond, burst, slots, timeout, adaptive, quota, null, autoDisable);
  }

  /** The same with a share of workers. */
  public BudgetSettings with(WorkSettings newWork) {
    return new BudgetSettings(
        ratePerSecond, burst, slots, timeout, adaptive, quota, newWork, autoDisable);
  }

  /** The same with another deadline. */
  public BudgetSettings withTimeout(Duration newTimeout) {
    return new BudgetSettings(
        ratePerSecond, burst, slots, newTimeout, adaptive, quota, work, autoDisable);
  }

  /** The same with a rule for when it is disabled. */
  public BudgetSettings with(AutoDisable newAutoDisable) {
    return new BudgetSettings(
        ratePerSecond, burst, slots, timeout, adaptive, quota, work, newAutoDisable);
  }
}
