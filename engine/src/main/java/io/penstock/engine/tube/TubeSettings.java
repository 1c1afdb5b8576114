package io.penstock.engine.tube;

import java.time.Duration;

/**
 * What a node is told about leasing jobs. Checks itself.
 *
 * @param lease how long a lease lasts without a renewal, 1 s to 30 s: what a job holds is charged
 *     at each renewal, so this also bounds what is not yet paid for
 * @param faster how many times faster a story is played than its limits say, 1 to 1,000: every time
 *     of worker-seconds is divided by it, the bounds of the lease too. 1 but in benches
 */
public record TubeSettings(Duration lease, int faster) {
  public static final Duration LEAST_LEASE = Duration.ofSeconds(1);
  public static final Duration MOST_LEASE = Duration.ofSeconds(30);

  /** Beyond this, what a call takes is longer than any job. */
  public static final int FASTEST = 1_000;

  public static final TubeSettings DEFAULT = new TubeSettings(MOST_LEASE);

  public TubeSettings {
    if (faster < 1 || faster > FASTEST) {
      throw new IllegalArgumentException(
          "faster must be 1 to %,d times, got %d".formatted(FASTEST, faster));
    }
    if (lease.compareTo(LEAST_LEASE.dividedBy(faster)) < 0
        || lease.compareTo(MOST_LEASE.dividedBy(faster)) > 0) {
      throw new IllegalArgumentException(
          "lease must be %d s to %d s%s, got %s"
              .formatted(
                  LEAST_LEASE.toSeconds(),
                  MOST_LEASE.toSeconds(),
                  faster == 1 ? "" : " divided by " + faster,
                  lease));
    }
  }

  /** As time is. */
  public TubeSettings(Duration lease) {
    this(lease, 1);
  }

  /** When a worker does well to renew: a third of the lease, so that one lost call is no loss. */
  public Duration renewEvery() {
    return lease.dividedBy(3);
  }
}
