package io.penstock.engine.limits;

import java.util.List;

/**
 * A pool of workers: a name that workers say when they lease. Checks itself.
 *
 * @param size workers that it is meant to have, 0 to 10,000
 * @param destinations ids of the tubes that it serves; empty and {@code all} = every tube
 * @param all whether it serves every tube
 */
public record PoolLimits(int size, List<String> destinations, boolean all) {
  public static final int MOST_WORKERS = 10_000;
  public static final int MOST_DESTINATIONS = 10_000;

  public PoolLimits {
    destinations = List.copyOf(destinations);
    if (size < 0 || size > MOST_WORKERS) {
      throw new IllegalArgumentException(
          "size is %d, wanted 0 to %d workers".formatted(size, MOST_WORKERS));
    }
    if (all != destinations.isEmpty() || destinations.size() > MOST_DESTINATIONS) {
      throw new IllegalArgumentException(
          "destinations: wanted all, or 1 to %d ids, got %d"
              .formatted(MOST_DESTINATIONS, destinations.size()));
    }
  }

  /** Whether it serves this tube. */
  public boolean serves(String destinationId) {
    return all || destinations.contains(destinationId);
  }
}
