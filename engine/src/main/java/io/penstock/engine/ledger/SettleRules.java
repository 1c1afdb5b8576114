package io.penstock.engine.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Move;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The decisions inside one settle, pure and quick: the ledger holds row locks meanwhile. */
public interface SettleRules {

  /** One move per settlement, in the same order. {@code budgets} by destination id. */
  List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets);

  /** The new states, by budget id, after feeding exactly the settlements that applied. */
  Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets);

  /** A destination's budget under its lock. */
  record LockedBudget(String budgetId, BudgetState state) {}
}
