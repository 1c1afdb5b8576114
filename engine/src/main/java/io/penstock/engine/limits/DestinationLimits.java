package io.penstock.engine.limits;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.work.WorkSettings;
import java.time.Duration;

/**
 * All limits of one destination, from the limits file.
 *
 * @param budget what it may spend, without the share of workers, which only tubes have
 * @param maxAttempts attempts before it dies {@code exhausted}, 1 to 100
 * @param ageLimit age at which it dies {@code expired}, 1 s to 30 days
 * @param onUnknown what happens to an attempt that was sent and not answered
 * @param retry how often and when it is tried again
 * @param outcomes which statuses mean something else here
 * @param tube its share of workers, for mode pull
 * @param backlog how many deliveries may wait
 * @param redrive what a redrive does unless it is told otherwise
 */
public record DestinationLimits(
    BudgetSettings budget,
    int maxAttempts,
    Duration ageLimit,
    OnUnknown onUnknown,
    RetryPolicy retry,
    OutcomeOverrides outcomes,
    TubeLimits tube,
    BacklogBound backlog,
    RedriveLimits redrive) {
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

  /** With everything else as it comes. */
  public DestinationLimits(
      BudgetSettings budget, int maxAttempts, Duration ageLimit, OnUnknown onUnknown) {
    this(
        budget,
        maxAttempts,
        ageLimit,
        onUnknown,
        RetryPolicy.DEFAULT,
        OutcomeOverrides.NONE,
        TubeLimits.DEFAULT,
        BacklogBound.NONE,
        RedriveLimits.DEFAULT);
  }

  /** The same with another budget. */
  public DestinationLimits with(BudgetSettings newBudget) {
    return new DestinationLimits(
        newBudget, maxAttempts, ageLimit, onUnknown, retry, outcomes, tube, backlog, redrive);
  }

  /** The same with another retry policy. */
  public DestinationLimits with(RetryPolicy newRetry) {
    return new DestinationLimits(
        budget, maxAttempts, ageLimit, onUnknown, newRetry, outcomes, tube, backlog, redrive);
  }

  /** The same with another bound of what may wait. */
  public DestinationLimits with(BacklogBound newBacklog) {
    return new DestinationLimits(
        budget, maxAttempts, ageLimit, onUnknown, retry, outcomes, tube, newBacklog, redrive);
  }

  /** The same with another share of workers. */
  public DestinationLimits with(TubeLimits newTube) {
    return new DestinationLimits(
        budget, maxAttempts, ageLimit, onUnknown, retry, outcomes, newTube, backlog, redrive);
  }

  /** The budget of a tube: the share of workers comes with it unless it is unmetered. */
  public BudgetSettings tubeBudget() {
    WorkSettings work = tube.work();
    return work == null ? budget : budget.with(work);
  }

  /** The most attempts of a delivery whose last one ended transient. */
  public int attemptsWhenTransient() {
    Integer own = retry.transients().maxAttempts();
    return own == null ? maxAttempts : own;
  }

  /** The most attempts of a delivery whose last one ended unknown. */
  public int attemptsWhenUnknown() {
    Integer own = retry.unknowns().maxAttempts();
    return own == null ? maxAttempts : own;
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
