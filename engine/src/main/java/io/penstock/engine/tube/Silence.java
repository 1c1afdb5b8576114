package io.penstock.engine.tube;

import io.penstock.engine.limits.TubeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a tube has fallen silent: it succeeds and brings nothing, or gets nothing to do. A sign
 * on the tube for people, not a failure of any job. Pure.
 */
public final class Silence {
  private Silence() {}

  /**
   * What is known of a tube.
   *
   * @param emptyRuns completions without yield since the last one with some
   * @param lastYield null = it never yielded anything, so that nothing is missed
   * @param lastSuccess null = none
   * @param lastActive when a job last came, ran or ended
   */
  public record Facts(
      long emptyRuns,
      @Nullable Instant lastYield,
      @Nullable Instant lastSuccess,
      Instant lastActive) {}

  /** Why it counts as silent, in one sentence; empty = it does not. */
  public static Optional<String> of(TubeLimits limits, Facts facts, Instant now) {
    Instant yielded = facts.lastYield();
    Integer runs = limits.silentAfterRuns();
    if (yielded != null && runs != null && facts.emptyRuns() >= runs) {
      return Optional.of(
          "%,d runs in a row completed without yield; the last one with some ended %s ago"
              .formatted(facts.emptyRuns(), length(yielded, now)));
    }
    Duration after = limits.silentAfter();
    if (yielded != null
        && after != null
        && facts.emptyRuns() > 0
        && !now.isBefore(yielded.plus(after))) {
      return Optional.of(
          "it completes, and has yielded nothing for %s (%,d runs)"
              .formatted(length(yielded, now), facts.emptyRuns()));
    }
    Duration nothingNew = limits.nothingNewAfter();
    if (nothingNew != null && !now.isBefore(facts.lastActive().plus(nothingNew))) {
      return Optional.of("nothing new has come for %s".formatted(length(facts.lastActive(), now)));
    }
    return Optional.empty();
  }

  private static String length(Instant from, Instant now) {
    long minutes = Math.max(0, Duration.between(from, now).toMinutes());
    return minutes < 120 ? minutes + " min" : minutes / 60 + " h";
  }
}
