package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules without a limit: every destination may have {@code most}, every settlement delivers. */
record OpenRules(int most, Duration lease) implements ClaimRules, SettleRules {

  private static final ThreadLocal<Map<String, BudgetState>> ASKED =
      ThreadLocal.withInitial(HashMap::new);

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    Map<String, BudgetState> asked = ASKED.get();
    asked.clear();
    asking.forEach(one -> asked.put(one.budgetId(), one.state()));
    return asking.stream()
        .map(one -> new Grant(one.destinationId(), most, most, most, lease))
        .toList();
  }

  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    return Map.copyOf(ASKED.get());
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    return batch.stream().<Move>map(one -> new Move.Deliver(one.lease().attempt() + 1)).toList();
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    Map<String, BudgetState> states = new HashMap<>();
    budgets.values().forEach(locked -> states.put(locked.budgetId(), locked.state()));
    return states;
  }
}
