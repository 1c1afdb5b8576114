package io.penstock.gameday.bench;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rules that admit everything and deliver everything: what is left is the ledger's own work. */
final class PlainRules implements ClaimRules, SettleRules {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final int mostEach;
  private List<Asking> asked = List.of();

  /**
   * For one claim or settle.
   *
   * @param mostEach deliveries of one destination in one claim
   */
  PlainRules(int mostEach) {
    this.mostEach = mostEach;
  }

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    asked = asking;
    List<Grant> grants = new ArrayList<>(asking.size());
    for (Asking one : asking) {
      grants.add(new Grant(one.destinationId(), mostEach, mostEach, mostEach, LEASE));
    }
    return grants;
  }

  // Written back as they are: the row's update is part of the work.
  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    Map<String, BudgetState> states = new HashMap<>();
    asked.forEach(one -> states.put(one.budgetId(), one.state()));
    return states;
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    List<Move> moves = new ArrayList<>(batch.size());
    batch.forEach(settlement -> moves.add(new Move.Deliver(1)));
    return moves;
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    Map<String, BudgetState> states = new HashMap<>();
    budgets.values().forEach(budget -> states.put(budget.budgetId(), budget.state()));
    return states;
  }
}
