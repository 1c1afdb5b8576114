package io.penstock.testkit.memory;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The plain interleaving: real threads, real waiting, the machine's own chance. */
public final class ThreadInterleave implements Interleave {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();
  private final BooleanSupplier oldSnapshots;

  /** Every claim asks {@code oldSnapshots} whether its pick sees the past. */
  public ThreadInterleave(BooleanSupplier oldSnapshots) {
    this.oldSnapshots = oldSnapshots;
  }

  @Override
  public void at(Point point) {
    // Real threads overlap by themselves.
  }

  @Override
  public boolean await(BooleanSupplier ready, Duration most) {
    lock.lock();
    try {
      long left = most.toNanos();
      while (!ready.getAsBoolean()) {
        if (left <= 0) {
          return false;
        }
        left = released.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void released() {
    lock.lock();
    try {
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean picksFromOldSnapshot() {
    return oldSnapshots.getAsBoolean();
  }
}
