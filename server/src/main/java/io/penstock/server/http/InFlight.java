package io.penstock.server.http;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts requests and the bytes of their bodies, so that a stop can wait for the last answer and no
 * crowd of callers can fill the memory. Safe for use by many threads.
 */
final class InFlight {
  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition empty = lock.newCondition();
  private int requests;
  private long bytes;

  InFlight(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void enter() {
    lock.lock();
    try {
      requests++;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      requests--;
      if (requests == 0) {
        empty.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Reserves room for a body; false when there is none just now. */
  boolean reserve(long wanted) {
    lock.lock();
    try {
      if (bytes + wanted > mostBytes) {
        return false;
      }
      bytes += wanted;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void release(long reserved) {
    lock.lock();
    try {
      bytes -= reserved;
    } finally {
      lock.unlock();
    }
  }

  long mostBytes() {
    return mostBytes;
  }

  /** Waits until no request is in flight; false when that took longer than {@code most}. */
  boolean awaitEmpty(Duration most) throws InterruptedException {
    long left = most.toNanos();
    lock.lock();
    try {
      while (requests > 0 && left > 0) {
        left = empty.awaitNanos(left);
      }
      return requests == 0;
    } finally {
      lock.unlock();
    }
  }
}
