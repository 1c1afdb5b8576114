package io.penstock.engine.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One point of a destination's history: at most one of each kind a second.
 *
 * @param at a whole second of the ledger's clock
 * @param rate in force at its end, per second
 * @param ceiling the configured rate, per second
 * @param knee where the receiver's limit was last found, per second; null = unknown
 * @param throttled answers that asked for less; 0 for a mark, so that none is counted twice
 * @param mark what turned; null = only the rate moved
 * @param times how often it turned so within the second
 */
public record HistoryPoint(
    String destinationId,
    Instant at,
    double rate,
    double ceiling,
    @Nullable Double knee,
    int throttled,
    @Nullable Mark mark,
    int times) {

  /** Both of the same second and kind, this one first, as one. */
  HistoryPoint then(HistoryPoint later) {
    Mark both = later.mark;
    if (mark != null && later.mark != null) {
      both =
          new Mark(
              mark.kind(),
              later.mark.cause(),
              mark.before(),
              later.mark.after(),
              later.mark.count());
    }
    return new HistoryPoint(
        destinationId,
        at,
        later.rate,
        later.ceiling,
        later.knee,
        throttled + later.throttled,
        both,
        times + later.times);
  }
}
