package io.penstock.testkit.memory;

import static java.util.Comparator.comparing;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.ClaimRules.Asking;
import io.penstock.engine.ledger.ClaimRules.Grant;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A claim, in the steps of the real one: lock, clock, gates, decide, pick, lease, debit. */
final class ClaimWork {
  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;
  private final ClaimRequest request;
  private final ClaimRules rules;
  private final Map<String, Destination> locked = new LinkedHashMap<>();
  private final Set<String> skipped = new LinkedHashSet<>();
  private final Set<String> absent = new LinkedHashSet<>();

  ClaimWork(MemoryLedger ledger, Transaction tx, ClaimRequest request, ClaimRules rules) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
    this.request = request;
    this.rules = rules;
  }

  Claim run() {
    // The past that the pick may see: after this, others may commit and release the budgets.
    Map<String, Waiting> past = ledger.interleave.picksFromOldSnapshot() ? snapshot() : Map.of();
    lockBudgets();
    Instant now = tx.now();
    tx.step(Step.GATES);
    List<Grant> grants = rules.decide(now, asking());
    tx.step(Step.PICK);
    Map<String, Integer> seen = new LinkedHashMap<>();
    List<Picked> picked = pick(grants, past, now, seen);
    tx.step(Step.WRITE);
    List<Leased> leased = lease(picked, now);
    debit(now, leased);
    return new Claim(now, leased, seen, skipped, absent);
  }

  /** By key, in key order, skipping what is locked. */
  private void lockBudgets() {
    tx.step(Step.LOCK);
    Map<String, Destination> known = new LinkedHashMap<>();
    for (Destination destination : ledger.find(request.destinationIds())) {
      if (destination.shard() == request.shard()) {
        known.put(destination.id(), destination);
      }
    }
    Set<String> free = new TreeSet<>();
    for (Destination destination : known.values()) {
      free.add(destination.budgetId());
    }
    free.removeIf(budgetId -> !tx.tryLock(new BudgetKey(budgetId)));
    for (String id : request.destinationIds()) {
      Destination destination = known.get(id);
      if (destination == null) {
        absent.add(id);
      } else if (free.contains(destination.budgetId())) {
        locked.put(id, destination);
      } else {
        skipped.add(id);
      }
    }
  }

  private List<Asking> asking() {
    synchronized (store) {
      return locked.values().stream().map(this::asking).toList();
    }
  }

  private Asking asking(Destination destination) {
    return new Asking(
        destination.id(),
        destination.mode(),
        destination.configNo(),
        store.gateOf(destination),
        destination.budgetId(),
        budget(destination.budgetId()));
  }

  private BudgetState budget(String budgetId) {
    return ledger.budgetUnderLock(budgetId);
  }

  private Map<String, Waiting> snapshot() {
    synchronized (store) {
      Map<String, Waiting> copy = new HashMap<>();
      for (String id : request.destinationIds()) {
        Waiting waiting = store.waiting.get(id);
        copy.put(id, waiting == null ? new Waiting() : waiting.snapshot());
      }
      return copy;
    }
  }

  /** A row that the pick saw, with the grant that lets it go. */
  private record Picked(DeliveryRow row, Grant grant) {}

  private List<Picked> pick(
      List<Grant> grants, Map<String, Waiting> past, Instant now, Map<String, Integer> seen) {
    List<Picked> picked = new ArrayList<>();
    synchronized (store) {
      for (Grant grant : grants) {
        Waiting waiting =
            past.getOrDefault(grant.destinationId(), store.waiting.get(grant.destinationId()));
        List<DeliveryRow> rows = waiting == null ? List.of() : waiting.pick(grant, now);
        rows.forEach(row -> picked.add(new Picked(row, grant)));
      }
    }
    // Stable: the order of the grants holds among first attempts, and among all others.
    picked.sort(comparing(one -> one.row().lane() != Lane.FIRST));
    List<Picked> within = withinBounds(picked);
    grants.forEach(grant -> seen.put(grant.destinationId(), 0));
    within.forEach(one -> seen.merge(one.row().key().destinationId(), 1, Integer::sum));
    return within;
  }

  /** The first of them always goes, or a claim with a small bound would never bring any. */
  private List<Picked> withinBounds(List<Picked> picked) {
    List<Picked> within = new ArrayList<>();
    long bytes = 0;
    for (Picked one : picked) {
      int size = one.row().size();
      bytes += size <= MemoryLedger.INLINE_BODY_BYTES ? size : 0;
      if (within.size() == request.mostDeliveries()
          || (bytes > request.mostBytes() && !within.isEmpty())) {
        break;
      }
      within.add(one);
    }
    return within;
  }

  /** Only rows that are still what the pick saw; a row that moved meanwhile is skipped. */
  private List<Leased> lease(List<Picked> picked, Instant now) {
    List<Leased> leased = new ArrayList<>();
    for (Picked one : picked) {
      tx.lock(one.row().key());
      DeliveryRow row = store.hot(one.row().key());
      if (row != null
          && (store.isCurrent(one.row()) || ledger.has(LedgerFault.CLAIM_WITHOUT_RECHECK))) {
        Instant until = now.plus(one.grant().lease());
        DeliveryRow after = Moves.leased(row, until, request.node());
        tx.move(row, after);
        leased.add(ledger.leased(after));
      }
    }
    return leased;
  }

  private void debit(Instant now, List<Leased> leased) {
    Map<String, BudgetState> states = rules.debit(now, leased);
    states.forEach((budgetId, after) -> tx.budget(budgetId, budget(budgetId), after));
    rules.held(now, leased).forEach(job -> tx.write(new Change.Held(job.lease().key(), job)));
  }

  /** Names a budget's row among the locks. */
  record BudgetKey(String budgetId) {}
}
