package io.penstock.engine.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.ledger.SettleRules.LockedBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The charges of one renewal, pure and quick: the ledger holds row locks meanwhile. */
@FunctionalInterface
public interface RenewRules {

  /** Charges the time that these jobs have been held; {@code budgets} by destination id. */
  Charged charge(Instant now, List<HeldJob> held, Map<String, LockedBudget> budgets);

  /**
   * The new states by budget id, and what each lease is charged by now, in the order of the jobs.
   */
  record Charged(Map<String, BudgetState> states, List<Duration> charged) {}
}
