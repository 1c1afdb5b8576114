package io.penstock.engine.host;

import java.time.Duration;

/**
 * A count that loops wait on. A loop reads the count, looks for work, and sleeps only while the
 * count is still the one it read: what happens between looking and sleeping is never missed. Safe
 * for use by many threads.
 */
public interface Signal {

  /** How often it was raised. */
  long count();

  /** Raises it and wakes who waits. Never blocks for long. */
  void raise();

  /** Returns when it was raised beyond {@code seen}, or {@code most} has passed. */
  void awaitBeyond(long seen, Duration most);
}
