package io.penstock.engine.limits;

import org.jspecify.annotations.Nullable;

/**
 * How many deliveries may wait, of a destination or of a tenant. Checks itself.
 *
 * @param deliveries 1 to 1,000,000,000 that wait; null = no bound
 */
public record BacklogBound(@Nullable Long deliveries) {
  public static final long MOST = 1_000_000_000;

  public static final BacklogBound NONE = new BacklogBound(null);

  public BacklogBound {
    if (deliveries != null && (deliveries < 1 || deliveries > MOST)) {
      throw new IllegalArgumentException(
          "backlog.deliveries is %d, wanted 1 to %d".formatted(deliveries, MOST));
    }
  }
}
