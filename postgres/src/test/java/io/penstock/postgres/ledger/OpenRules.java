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
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rules without a limit: every destination may have {@code most}, every settlement makes the same
 * move, and budgets are written back as they were. For one claim at a time.
 */
record OpenRules(int most, Duration lease, Move move, Map<String, BudgetState> asked)
    implements ClaimRules, SettleRules {

  OpenRules(int most, Duration lease) {
    this(most, lease, new Move.Deliver(1));
  }

  OpenRules(int most, Duration lease, Move move) {
    this(most, lease, move, new ConcurrentHashMap<>());
  }

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    asking.forEach(one -> asked.put(one.budgetId(), one.state()));
    return asking.stream()
        .map(one -> new Grant(one.destinationId(), most, most, most, lease))
        .toList();
  }

  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    Map<String, BudgetState> states = Map.copyOf(asked);
    asked.clear();
    return states;
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    return batch.stream().map(one -> move).toList();
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    Map<String, BudgetState> states = new HashMap<>();
    budgets.values().forEach(locked -> states.put(locked.budgetId(), locked.state()));
    return states;
  }
}
