package io.penstock.testkit.contract;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One node that claims and settles for one destination by its budget; keeps its stamps. */
final class TestingBudgetRules implements ClaimRules, SettleRules {
  private final Ledger ledger;
  private final Destination destination;
  private final BudgetSettings settings;
  private final Map<Leased, Stamp> stamps = new HashMap<>();
  private BudgetState asked;
  private Decision decision;

  @SuppressWarnings("NullAway.Init") // set by decide
  TestingBudgetRules(Ledger ledger, Destination destination, BudgetSettings settings) {
    this.ledger = ledger;
    this.destination = destination;
    this.settings = settings;
  }

  /** Leases what the budget admits. */
  List<Leased> claim() {
    var request =
        new ClaimRequest(
            destination.shard(),
            List.of(destination.id()),
            LedgerWorld.NODE,
            LedgerWorld.ALL,
            LedgerWorld.ALL_BYTES);
    return ledger.claim(request, this).leased();
  }

  /** What the budget said at the last claim. */
  Decision decision() {
    return decision;
  }

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    asked = asking.getFirst().state();
    decision = Budget.ask(asked, settings, now).decision();
    return decision instanceof Decision.Admit admit
        ? List.of(
            new Grant(
                destination.id(),
                admit.most(),
                admit.mostRetries(),
                admit.mostBatch(),
                LedgerWorld.LEASE))
        : List.of();
  }

  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    if (leased.isEmpty() || !(decision instanceof Decision.Admit admit)) {
      return Map.of();
    }
    leased.forEach(
        one -> stamps.put(one, new Stamp(admit.generation(), admit.probe(), false, false)));
    Budget.Debit debit = new Budget.Debit(leased.size(), 0, 0, admit.probe());
    return Map.of(destination.budgetId(), Budget.debit(asked, settings, debit, now));
  }

  /** Books this outcome for all of them. */
  void settle(List<Leased> leased, Outcome outcome) {
    List<Settlement> batch = new ArrayList<>();
    for (Leased one : leased) {
      Stamp stamp = stamps.getOrDefault(one, Settling.stamp(one));
      batch.add(
          new Settlement(
              one, new Feedback.Ended(stamp, outcome, Duration.ofMillis(20)), null, null));
    }
    ledger.settle(destination.shard(), batch, this);
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    return batch.stream()
        .map(settlement -> {
          boolean ok =
              settlement.feedback() instanceof Feedback.Ended ended
                  && ended.outcome() instanceof Outcome.Delivered;
          return ok ? (Move) new Move.Deliver(1) : new Move.KeepPlace();
        })
        .toList();
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    LockedBudget locked = budgets.get(destination.id());
    if (locked == null) {
      throw new AssertionError("no budget was locked for " + destination.id());
    }
    BudgetState state = locked.state();
    for (Settlement settlement : applied) {
      state = Budget.feed(state, settings, settlement.feedback(), now);
    }
    return Map.of(locked.budgetId(), state);
  }
}
