package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.memory.Interleave.Point;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.AuditSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One transaction: locks rows, reads what is committed, stages what it writes, and commits all of
 * it at once or nothing. Used by one thread; the server may abort it from another.
 */
final class Transaction {
  /** As the real ledger's {@code lock_timeout}. */
  static final Duration LOCK_TIMEOUT = Duration.ofSeconds(2);

  final long id;
  private final MemoryLedger ledger;
  private final Operation operation;
  private final List<Change> staged = new ArrayList<>();
  private @Nullable Instant now;
  private volatile boolean aborted;

  Transaction(MemoryLedger ledger, long id, Operation operation) {
    this.ledger = ledger;
    this.id = id;
    this.operation = operation;
  }

  Store store() {
    return ledger.store;
  }

  /** Comes to the next step, where anything may happen. */
  void step(Step step) {
    ledger.interleave.at(new Point(id, operation, step));
    if (aborted) {
      throw new LedgerException(
          "the ledger ended this idle transaction (" + operation + " before " + step + ")");
    }
  }

  /** Locks a row, waiting at most {@link #LOCK_TIMEOUT}. */
  void lock(Object row) {
    if (!tryLock(row) && !ledger.interleave.await(() -> tryLock(row), LOCK_TIMEOUT)) {
      throw new LedgerException("waited " + LOCK_TIMEOUT.toMillis() + " ms for the lock of " + row);
    }
  }

  boolean tryLock(Object row) {
    return ledger.locks.tryLock(row, this);
  }

  /** Reads the clock, in a step of its own; every later call gives the same time. */
  Instant now() {
    Instant time = now;
    if (time == null) {
      step(Step.CLOCK);
      time = ledger.readClock();
      now = time;
    }
    return time;
  }

  void write(Change change) {
    staged.add(change);
  }

  void move(@Nullable DeliveryRow before, DeliveryRow after) {
    write(new Change.Delivery(before, after));
  }

  void budget(String budgetId, @Nullable BudgetState before, BudgetState after) {
    // What is stored is the text, as in a column: a part that encode forgets is lost here too.
    write(new Change.Budget(budgetId, before, BudgetState.decode(after.encode())));
  }

  void audit(Audit by, String action, String subject) {
    write(new Change.Audited(new AuditSeen(now(), by.actor(), action, subject, by.reason())));
  }

  void audit(Audit by, String action, DeliveryKey key) {
    audit(by, action, key.destinationId() + "/" + key.eventId());
  }

  /** All of it, or nothing. */
  void commit() {
    step(Step.COMMIT);
    ledger.commit(this, new Commit(id, operation, now == null ? Instant.MIN : now, staged));
    ledger.interleave.released();
    step(Step.COMMITTED);
  }

  /** The server's side: gives up the locks; the owner learns of it at its next step. */
  void abort() {
    aborted = true;
  }

  boolean isAborted() {
    return aborted;
  }
}
