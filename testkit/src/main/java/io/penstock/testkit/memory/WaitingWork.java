package io.penstock.testkit.memory;

import static java.util.Comparator.comparing;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import io.penstock.testkit.memory.ClaimWork.BudgetKey;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and moves of deliveries outside the hot path. */
final class WaitingWork {
  private static final byte[] NO_BYTES = {};

  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;

  WaitingWork(MemoryLedger ledger, Transaction tx) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
  }

  List<Leased> expiredLeases(int shard, int most) {
    Instant now = tx.now();
    List<DeliveryRow> lost =
        ranOut(shard, now)
            .filter(row -> store.held(row.key(), row.leaseNo()) == null)
            .limit(most)
            .toList();
    return lost.stream().map(ledger::leased).toList();
  }

  private Stream<DeliveryRow> ranOut(int shard, Instant now) {
    return store.leasesOf(shard).stream()
        .filter(row -> !Objects.requireNonNull(row.leaseUntil()).isAfter(now))
        .sorted(
            comparing((DeliveryRow row) -> Objects.requireNonNull(row.leaseUntil()))
                .thenComparingLong(DeliveryRow::position));
  }

  List<HeldJob> expiredJobs(int shard, int most) {
    Instant now = tx.now();
    return ranOut(shard, now)
        .map(row -> Optional.ofNullable(store.held(row.key(), row.leaseNo())))
        .flatMap(Optional::stream)
        .limit(most)
        .toList();
  }

  List<WalkEntry> heads(int shard, Collection<String> destinationIds) {
    tx.step(Step.PICK);
    synchronized (store) {
      return store.waiting.entrySet().stream()
          .filter(entry -> destinationIds.contains(entry.getKey()) && isIn(shard, entry.getKey()))
          .map(entry -> entry.getValue().heads(entry.getKey()))
          .toList();
    }
  }

  List<WalkEntry> walk(int shard, @Nullable String after, int most) {
    tx.step(Step.PICK);
    synchronized (store) {
      Map<String, Waiting> rest =
          after == null ? store.waiting : store.waiting.tailMap(after, false);
      return rest.entrySet().stream()
          .filter(entry -> isIn(shard, entry.getKey()))
          .limit(most)
          .map(entry -> entry.getValue().heads(entry.getKey()))
          .toList();
    }
  }

  private boolean isIn(int shard, String destinationId) {
    Destination destination = store.destinations.get(destinationId);
    return destination != null && destination.shard() == shard;
  }

  /** Nothing expires while a gate is closed; afterwards age counts from the reopening. */
  int expire(String destinationId, Instant agedBefore, int most) {
    List<Destination> found = ledger.find(Set.of(destinationId));
    if (found.isEmpty()) {
      return 0;
    }
    tx.now();
    tx.step(Step.GATES);
    Gate gate = store.gateOf(found.getFirst());
    Instant reopened = gate.reopenedAt();
    boolean spared = gate.closed() != null || (reopened != null && !reopened.isBefore(agedBefore));
    if (spared && !ledger.has(LedgerFault.EXPIRE_BEHIND_GATE)) {
      return 0;
    }
    return kill(destinationId, Reason.EXPIRED, most, row -> row.ageFrom().isBefore(agedBefore));
  }

  int shelve(String destinationId, Reason reason, int most) {
    return kill(destinationId, reason, most, row -> true);
  }

  /** Oldest first; rows that others have locked are left for the next time. */
  private int kill(String destinationId, Reason reason, int most, Predicate<DeliveryRow> which) {
    Instant now = tx.now();
    tx.step(Step.PICK);
    List<DeliveryRow> candidates = new ArrayList<>();
    synchronized (store) {
      Waiting waiting = store.waiting.get(destinationId);
      if (waiting != null) {
        candidates.addAll(waiting.rows().stream().filter(which).toList());
      }
    }
    candidates.sort(comparing(DeliveryRow::ageFrom).thenComparingLong(DeliveryRow::position));
    tx.step(Step.WRITE);
    int killed = 0;
    for (DeliveryRow row : candidates) {
      if (killed == most) {
        break;
      }
      if (tx.tryLock(row.key()) && store.isCurrent(row)) {
        die(row, reason, now);
        killed++;
      }
    }
    return killed;
  }

  private void die(DeliveryRow row, Reason reason, Instant now) {
    tx.move(row, Moves.dead(row, reason));
    tx.write(
        new Change.DeadLetter(
            new DeadLetterSeen(
                row.key(),
                row.tenantId(),
                reason,
                row.lastStatus(),
                lastHead(row.key()),
                row.attempt(),
                now)));
  }

  /** What the receiver said last. */
  private byte[] lastHead(DeliveryKey key) {
    synchronized (store) {
      List<AttemptSeen> attempts = store.attempts.getOrDefault(key, List.of());
      return attempts.isEmpty() ? NO_BYTES : attempts.getLast().responseHead();
    }
  }

  /** The budget before the delivery, in the order of locks, though only a lease needs it freed. */
  boolean cancel(DeliveryKey key, Audit by, BudgetRule freed) {
    List<Destination> found = ledger.find(Set.of(key.destinationId()));
    if (found.isEmpty()) {
      return false;
    }
    String budgetId = found.getFirst().budgetId();
    tx.step(Step.LOCK);
    tx.lock(new BudgetKey(budgetId));
    tx.lock(key);
    Instant now = tx.now();
    tx.step(Step.WRITE);
    DeliveryRow row = store.hot(key);
    if (row == null) {
      return false;
    }
    tx.move(row, Moves.cancelled(row));
    if (row.state() == DeliveryState.LEASED) {
      BudgetState state = ledger.budgetUnderLock(budgetId);
      HeldJob job = store.held(key, row.leaseNo());
      tx.budget(
          budgetId,
          state,
          job == null
              ? freed.apply(budgetId, state, now)
              : freed.applyToJob(budgetId, state, job, now));
      tx.write(new Change.Held(key, null));
    }
    tx.audit(by, "delivery.cancel", key);
    return true;
  }

  boolean redrive(DeliveryKey key, Audit by) {
    return again(key, DeliveryState.DEAD, "delivery.redrive", by);
  }

  boolean sendAgain(DeliveryKey key, Audit by) {
    return again(key, DeliveryState.DELIVERED, "delivery.send_again", by);
  }

  private boolean again(DeliveryKey key, DeliveryState from, String action, Audit by) {
    tx.step(Step.LOCK);
    tx.lock(key);
    Instant now = tx.now();
    tx.step(Step.WRITE);
    DeliveryRow row = store.latest(key);
    if (row == null || row.state() != from) {
      return false;
    }
    tx.move(null, Moves.again(row, now));
    tx.audit(by, action, key);
    return true;
  }
}
