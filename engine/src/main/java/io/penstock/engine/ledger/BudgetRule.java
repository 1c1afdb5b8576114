package io.penstock.engine.ledger;

import io.penstock.budget.BudgetState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A pure rule applied to one budget under its lock. */
@FunctionalInterface
public interface BudgetRule {
  /** The new state; {@code state} is null for a budget that is being created. */
  BudgetState apply(String budgetId, @Nullable BudgetState state, Instant now);

  /** The same when what ends is a job that a worker of a tube holds. */
  default BudgetState applyToJob(
      String budgetId, @Nullable BudgetState state, HeldJob job, Instant now) {
    return apply(budgetId, state, now);
  }
}
