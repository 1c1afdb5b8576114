package io.penstock.testkit.memory;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Stands between the steps of every transaction of a {@link MemoryLedger}, so that a simulator can
 * suspend, delay, fail or kill there, with the transaction's row locks held as Postgres would hold
 * them. The ledger holds none of its own monitors while it calls.
 */
public interface Interleave {

  /**
   * Called before each step, and after the commit ({@link Step#COMMITTED}). May take its time, or
   * throw: before the commit the transaction is rolled back, after it the caller sees a failure of
   * something that took effect.
   */
  void at(Point point);

  /**
   * Waits until {@code ready} holds, at most so long; returns whether it does. {@code ready} may
   * have an effect when it turns true, so it must not be asked again then.
   */
  boolean await(BooleanSupplier ready, Duration most);

  /** Locks were released: who awaits should look again. */
  void released();

  /** Whether this claim's pick sees the rows as they were before it had its locks. */
  boolean picksFromOldSnapshot();

  /** Where a transaction is. */
  record Point(long transaction, Operation operation, Step step) {}

  /** What a transaction does. */
  enum Operation {
    ACCEPT,
    CLAIM,
    SETTLE,
    EXPIRED_LEASES,
    RENEW,
    END_JOBS,
    BODY,
    WALK,
    EXPIRE,
    SHELVE,
    CANCEL,
    REDRIVE,
    SEND_AGAIN,
    REDRIVE_COMMAND,
    REDRIVE_READ,
    REDRIVE_STEP,
    SCHEDULE_COMMAND,
    SCHEDULE_READ,
    SCHEDULE_FIRE,
    CHANGE_GATE,
    READ_GATES,
    CONFIGURE,
    PERMITS,
    CLOCK
  }

  /** The steps of a transaction, in their order; most have only some of them. */
  enum Step {
    BEGIN,
    LOCK,
    CLOCK,
    GATES,
    PICK,
    WRITE,
    COMMIT,
    COMMITTED
  }
}
