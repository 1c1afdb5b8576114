package io.penstock.engine.send;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much this node may have in flight at once. Claims lease no more than is free and take it
 * then; it is given back when a delivery was settled. Safe for use by many threads.
 */
public final class NodeSlots {
  private final int limit;
  private final AtomicInteger taken = new AtomicInteger();

  /**
   * All slots free.
   *
   * @param limit 1 to 100,000
   */
  public NodeSlots(int limit) {
    if (limit < 1 || limit > 100_000) {
      throw new IllegalArgumentException(
          "node slots must be 1 to 100,000 deliveries in flight, got " + limit);
    }
    this.limit = limit;
  }

  public int limit() {
    return limit;
  }

  public int free() {
    return Math.max(0, limit - taken.get());
  }

  public int inFlight() {
    return taken.get();
  }

  public void take(int count) {
    taken.addAndGet(count);
  }

  /** Gives back; true when none was free before, so that somebody may be waiting for one. */
  public boolean giveBack(int count) {
    return taken.getAndAdd(-count) >= limit;
  }
}
