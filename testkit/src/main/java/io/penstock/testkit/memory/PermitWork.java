package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.budget.permit.Permit;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.PermitLedger.Grant;
import io.penstock.engine.ledger.PermitLedger.PermitEnd;
import io.penstock.engine.ledger.PermitLedger.PermitRules;
import io.penstock.testkit.memory.ClaimWork.BudgetKey;
import io.penstock.testkit.memory.Interleave.Step;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Permits, in the steps of the real ones: lock the budget, clock, gate, decide, write. */
final class PermitWork {
  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;
  private final PermitRules rules;

  PermitWork(MemoryLedger ledger, Transaction tx, PermitRules rules) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
    this.rules = rules;
  }

  Optional<Instant> take(String destinationId) {
    List<Destination> found = ledger.find(Set.of(destinationId));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Destination destination = found.getFirst();
    BudgetState before = lock(destination);
    Instant now = tx.now();
    tx.step(Step.GATES);
    BudgetState state = endExpired(destinationId, before, now).state();
    Grant grant = rules.take(destinationId, state, store.gateOf(destination), now);
    tx.step(Step.WRITE);
    for (Permit permit : grant.permits()) {
      int shard = Shard.of(destinationId, ledger.shards());
      tx.write(new Change.PermitTaken(shard, destinationId, permit));
    }
    write(destination, before, grant.state());
    return Optional.of(now);
  }

  PermitEnd end(int shard, String permitId) {
    Optional<Change.PermitTaken> seen = find(store, shard, permitId);
    if (seen.isEmpty()) {
      return PermitEnd.ENDED_BEFORE;
    }
    String destinationId = seen.get().destinationId();
    Destination destination = ledger.find(Set.of(destinationId)).getFirst();
    BudgetState before = lock(destination);
    Instant now = tx.now();
    Permit permit = seen.get().permit();
    if (find(store, shard, permitId).isEmpty()) {
      return PermitEnd.ENDED_BEFORE; // somebody ended it while this one waited for the lock
    }
    tx.write(new Change.PermitEnded(permitId));
    boolean expired = rules.mayExpire() && !permit.expiresAt().isAfter(now);
    write(
        destination,
        before,
        expired
            ? rules.expired(destinationId, before, permit.stamp(), now)
            : rules.ended(destinationId, before, permit.stamp(), now));
    return expired ? PermitEnd.EXPIRED : PermitEnd.BOOKED;
  }

  int expire(String destinationId) {
    Destination destination = ledger.find(Set.of(destinationId)).getFirst();
    BudgetState before = lock(destination);
    Ended ended = endExpired(destinationId, before, tx.now());
    write(destination, before, ended.state());
    return ended.count();
  }

  private record Ended(BudgetState state, int count) {}

  private Ended endExpired(String destinationId, BudgetState before, Instant now) {
    if (!rules.mayExpire()) {
      return new Ended(before, 0);
    }
    List<Permit> expired;
    synchronized (store) {
      expired =
          store.permits.values().stream()
              .filter(one -> one.destinationId().equals(destinationId))
              .map(Change.PermitTaken::permit)
              .filter(permit -> !permit.expiresAt().isAfter(now))
              .toList();
    }
    BudgetState state = before;
    for (Permit permit : expired) {
      tx.write(new Change.PermitEnded(permit.id()));
      state = rules.expired(destinationId, state, permit.stamp(), now);
    }
    return new Ended(state, expired.size());
  }

  private BudgetState lock(Destination destination) {
    tx.step(Step.LOCK);
    tx.lock(new BudgetKey(destination.budgetId()));
    return ledger.budgetUnderLock(destination.budgetId());
  }

  private void write(Destination destination, BudgetState before, BudgetState after) {
    if (!after.equals(before)) {
      tx.budget(destination.budgetId(), before, after);
    }
  }

  static Optional<Change.PermitTaken> find(Store store, int shard, String permitId) {
    synchronized (store) {
      return Optional.ofNullable(store.permits.get(permitId)).filter(one -> one.shard() == shard);
    }
  }

  static List<String> withExpired(Store store, int shard, int most, Instant now) {
    synchronized (store) {
      return store.permits.values().stream()
          .filter(one -> one.shard() == shard && !one.permit().expiresAt().isAfter(now))
          .sorted(Comparator.comparing((Change.PermitTaken one) -> one.permit().expiresAt()))
          .map(Change.PermitTaken::destinationId)
          .distinct()
          .limit(most)
          .toList();
    }
  }
}
