package io.penstock.testkit.contract;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settlement;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Simple rules for settles: every settlement moves as a function says; budgets are fed. */
public final class TestingSettleRules implements SettleRules {
  private final BiFunction<Instant, Settlement, Move> move;

  private TestingSettleRules(BiFunction<Instant, Settlement, Move> move) {
    this.move = move;
  }

  static TestingSettleRules moving(BiFunction<Instant, Settlement, Move> move) {
    return new TestingSettleRules(move);
  }

  public static TestingSettleRules delivers() {
    return moving((now, settlement) -> new Move.Deliver(settlement.lease().attempt() + 1));
  }

  static TestingSettleRules retryAt(Instant notBefore) {
    return moving((now, settlement) -> new Move.Retry(settlement.lease().attempt() + 1, notBefore));
  }

  static TestingSettleRules keepsPlace() {
    return moving((now, settlement) -> new Move.KeepPlace());
  }

  static TestingSettleRules dies() {
    return moving(
        (now, settlement) -> new Move.Die(settlement.lease().attempt() + 1, Reason.REJECTED));
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    return batch.stream().map(settlement -> move.apply(now, settlement)).toList();
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    Map<String, BudgetState> states = new LinkedHashMap<>();
    for (Settlement settlement : applied) {
      LockedBudget budget = budgets.get(settlement.lease().key().destinationId());
      if (budget == null) {
        throw new AssertionError("no budget was locked for " + settlement.lease().key());
      }
      BudgetState before = states.getOrDefault(budget.budgetId(), budget.state());
      states.put(
          budget.budgetId(), Budget.feed(before, LedgerWorld.WIDE, settlement.feedback(), now));
    }
    return states;
  }
}
