package io.penstock.engine.send;

import java.util.HashMap;
import java.util.Map;

/**
 * The newest generation known of each budget, kept only as long as something claimed before it was
 * known may still be unsent. Safe for use by many threads.
 */
final class Generations {
  private final Map<String, Known> newest = new HashMap<>();
  private final long keptNanos;
  private long prunedAt;

  private record Known(long generation, long atNanos) {}

  /**
   * None known.
   *
   * @param keptNanos the longest time from a debit to its send
   */
  Generations(long keptNanos) {
    this.keptNanos = keptNanos;
  }

  synchronized void are(Map<String, Long> generations, long nowNanos) {
    if (nowNanos - prunedAt > keptNanos) {
      newest.values().removeIf(known -> nowNanos - known.atNanos > keptNanos);
      prunedAt = nowNanos;
    }
    generations.forEach((id, generation) ->
        newest.merge(
            id,
            new Known(generation, nowNanos),
            (old, now) -> now.generation >= old.generation ? now : old));
  }

  /** Whether what was claimed under this generation is out of date. */
  synchronized boolean passed(String budgetId, long generation) {
    Known known = newest.get(budgetId);
    return known != null && known.generation > generation;
  }

  synchronized int size() {
    return newest.size();
  }
}
