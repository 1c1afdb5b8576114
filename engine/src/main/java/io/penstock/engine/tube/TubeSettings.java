package io.penstock.engine.tube;

import java.time.Duration;

/**
 * What a node is told about leasing jobs. Checks itself.
 *
 * @param lease how long a lease lasts without a renewal, 1 s to 30 s: what a job holds is charged
 *     at each renewal, so this also bounds what is not yet paid for
 */
public record TubeSettings(Duration lease) {
  public static final Duration LEAST_LEASE = Duration.ofSeconds(1);
  public static final Duration MOST_LEASE = Duration.ofSeconds(30);

  public static final TubeSettings DEFAULT = new TubeSettings(MOST_LEASE);

  public TubeSettings {
    if (lease.compareTo(LEAST_LEASE) < 0 || lease.compareTo(MOST_LEASE) > 0) {
      throw new IllegalArgumentException(
          "lease must be %d s to %d s, got %s"
              .formatted(LEAST_LEASE.toSeconds(), MOST_LEASE.toSeconds(), lease));
    }
  }

  /** When a worker does well to renew: a third of the lease, so that one lost call is no loss. */
  public Duration renewEvery() {
    return lease.dividedBy(3);
  }
}
