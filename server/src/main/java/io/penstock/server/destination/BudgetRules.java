package io.penstock.server.destination;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.JobFeedback;
import io.penstock.budget.Stamp;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.limits.Limits;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What the API does to budgets, under the ledger's locks. Safe for use by many threads. */
public final class BudgetRules {
  /** A generation that no budget has: feedback under it frees a slot and changes nothing else. */
  private static final long NO_GENERATION = -1;

  private final Limits limits;
  private final RandomGenerator random;

  /**
   * @param random seeds the jitter of new budgets
   */
  public BudgetRules(Limits limits, RandomGenerator random) {
    this.limits = limits;
    this.random = random;
  }

  /** A new budget with the little that start-up allows. */
  public BudgetRule initial() {
    return (id, _, now) -> BudgetState.initial(limits.of(id).budget(), random.nextLong(), now);
  }

  /** A budget whose gate opens: an empty bucket. */
  BudgetRule reopened() {
    return (id, state, now) -> Budget.reopen(existing(id, state), limits.of(id).budget(), now);
  }

  /** A budget whose leased delivery is cancelled: the slot is free again, the token is spent. */
  public BudgetRule freed() {
    Feedback freed = new Feedback.HandedBack(new Stamp(NO_GENERATION, false, false, false));
    return new BudgetRule() {
      @Override
      public BudgetState apply(String id, @Nullable BudgetState state, Instant now) {
        return Budget.feed(existing(id, state), limits.of(id).budget(), freed, now);
      }

      // A job that a worker holds is paid for until now.
      @Override
      public BudgetState applyToJob(
          String id, @Nullable BudgetState state, HeldJob job, Instant now) {
        var stopped =
            new JobFeedback.Cancelled(job.stamp(), job.heldAt(now), job.charged(), job.lent());
        return Budget.feedJob(existing(id, state), limits.of(id).tubeBudget(), stopped, now);
      }
    };
  }

  private static BudgetState existing(String id, @Nullable BudgetState state) {
    if (state == null) {
      throw new IllegalStateException("there is no budget " + id);
    }
    return state;
  }
}
