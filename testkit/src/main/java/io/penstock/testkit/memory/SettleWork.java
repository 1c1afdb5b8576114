package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.SettleRules.LockedBudget;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.ledger.Settlement.AttemptRow;
import io.penstock.testkit.memory.ClaimWork.BudgetKey;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A settle, in the steps of the real one: lock, clock, move, append, feed. */
final class SettleWork {
  private static final byte[] NO_BYTES = {};

  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;
  private final List<Settlement> batch;
  private final SettleRules rules;
  private final List<Settled.Applied> applied = new ArrayList<>();
  private final List<Settlement> stale = new ArrayList<>();
  private final Set<DeliveryKey> moved = new HashSet<>();

  SettleWork(MemoryLedger ledger, Transaction tx, List<Settlement> batch, SettleRules rules) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
    this.batch = batch;
    this.rules = rules;
  }

  Settled run() {
    Map<String, LockedBudget> budgets = lockBudgets();
    Instant now = tx.now();
    List<Move> moves = rules.moves(now, batch, budgets);
    tx.step(Step.WRITE);
    for (int i = 0; i < batch.size(); i++) {
      settle(batch.get(i), moves.get(i), now);
    }
    List<Settlement> fed =
        new ArrayList<>(applied.stream().map(Settled.Applied::settlement).toList());
    if (ledger.has(LedgerFault.FEED_STALE)) {
      fed.addAll(stale);
    }
    if (!fed.isEmpty()) {
      rules
          .feed(now, fed, budgets)
          .forEach((id, after) -> tx.budget(id, ledger.budgetUnderLock(id), after));
    }
    return new Settled(now, applied, stale);
  }

  /** By key, in key order, waiting for what is locked. */
  private Map<String, LockedBudget> lockBudgets() {
    tx.step(Step.LOCK);
    Set<String> ids = new LinkedHashSet<>();
    batch.forEach(settlement -> ids.add(settlement.lease().key().destinationId()));
    List<Destination> destinations = ledger.find(ids);
    Set<String> budgetIds = new TreeSet<>();
    destinations.forEach(destination -> budgetIds.add(destination.budgetId()));
    budgetIds.forEach(budgetId -> tx.lock(new BudgetKey(budgetId)));
    Map<String, LockedBudget> budgets = new LinkedHashMap<>();
    for (Destination destination : destinations) {
      BudgetState state = ledger.budgetUnderLock(destination.budgetId());
      budgets.put(destination.id(), new LockedBudget(destination.budgetId(), state));
    }
    if (budgets.size() < ids.size()) {
      throw new LedgerException("a settlement names a destination that does not exist: " + ids);
    }
    return budgets;
  }

  private void settle(Settlement settlement, Move move, Instant now) {
    DeliveryKey key = settlement.lease().key();
    tx.lock(key);
    DeliveryRow row = store.hot(key);
    if (row == null || moved.contains(key) || !mayEnd(row, settlement, now)) {
      stale.add(settlement);
      return;
    }
    AttemptRow attempt = settlement.attempt();
    int status = attempt == null ? row.lastStatus() : attempt.status();
    DeliveryRow after = Moves.settled(row, move, status);
    moved.add(key);
    tx.move(row, after);
    if (attempt != null) {
      tx.write(new Change.Attempt(seen(settlement, attempt)));
    }
    if (move instanceof Move.Die die) {
      byte[] head = attempt == null ? NO_BYTES : attempt.responseHead();
      tx.write(
          new Change.DeadLetter(
              new DeadLetterSeen(
                  key, row.tenantId(), die.reason(), status, head, after.attempt(), now)));
    }
    applied.add(new Settled.Applied(settlement, move));
  }

  private boolean mayEnd(DeliveryRow row, Settlement settlement, Instant now) {
    if (row.state() != DeliveryState.LEASED) {
      return false;
    }
    if (row.leaseNo() != settlement.lease().leaseNo()) {
      return ledger.has(LedgerFault.SETTLE_WITHOUT_LEASE_NO);
    }
    return !(settlement.feedback() instanceof Feedback.LeaseLost)
        || hasRunOut(row.leaseUntil(), now);
  }

  private static boolean hasRunOut(@Nullable Instant until, Instant now) {
    return until != null && !until.isAfter(now);
  }

  private static AttemptSeen seen(Settlement settlement, AttemptRow attempt) {
    return new AttemptSeen(
        settlement.lease().key(),
        settlement.lease().leaseNo(),
        attempt.startedAt(),
        attempt.durationMicros(),
        attempt.outcome(),
        attempt.detail(),
        attempt.status(),
        attempt.responseHead(),
        attempt.resolvedAddress(),
        attempt.node());
  }
}
