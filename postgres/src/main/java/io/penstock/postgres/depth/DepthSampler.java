package io.penstock.postgres.depth;

import io.penstock.postgres.Pool;
import java.time.Duration;

/**
 * Counts what waits, a stretch of destinations at a time. A scrape reads {@link #latest()}, which
 * costs the same however much waits. {@code runOnce} belongs to one thread, {@code latest} to all.
 */
public final class DepthSampler {
  private final Pool pool;

  public DepthSampler(Pool pool) {
    this.pool = pool;
  }

  /**
   * Counts on from where the last call stopped, for about {@code budget}; true when this ended a
   * round and {@link #latest()} is new.
   */
  public boolean runOnce(Duration budget) {
    throw new UnsupportedOperationException();
  }

  /** The last full round. */
  public Depths latest() {
    return Depths.NONE;
  }
}
