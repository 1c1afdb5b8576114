package io.penstock.server.limits;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Replay;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.limits.Arrivals;
import io.penstock.postgres.limits.Arrivals.Minute;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a limits file would change, and what it would have done to the last 24 hours: each
 * destination's arrivals, from the roll-ups, go through the old and the new limits by the budget's
 * own rules. Pure but for its reading of the past.
 */
final class LimitsPlan {
  static final Duration PAST = Duration.ofHours(24);

  /** Destinations that are looked at: each costs some milliseconds. */
  static final int MOST_DESTINATIONS = 200;

  /** What "now" means for arrivals: long enough for a mean, short enough for an incident. */
  private static final Duration LATELY = Duration.ofMinutes(10);

  private final Arrivals arrivals;

  LimitsPlan(Arrivals arrivals) {
    this.arrivals = arrivals;
  }

  /** What one set of limits does to a past. */
  record Effect(long heldBack, long longestWaitMs, int quotaHits, long left) {
    static Effect of(Replay.Result result) {
      return new Effect(
          result.heldBack(), result.longestWait().toMillis(), result.quotaHits(), result.left());
    }
  }

  /**
   * One destination whose limits change and to which something came.
   *
   * @param admitted what came within the past
   * @param arrivingPerSecond the mean of the last ten minutes
   * @param warning what an operator should know before; null = nothing
   */
  record Affected(
      String destinationId,
      long admitted,
      double arrivingPerSecond,
      double ratePerSecondBefore,
      double ratePerSecondAfter,
      Effect before,
      Effect after,
      @Nullable String warning) {}

  /**
   * The plan.
   *
   * @param looksBackHours how far
   * @param unlooked destinations that change and were not looked at, because there are too many
   */
  record Plan(
      List<LimitsDiff.Change> changes,
      List<Affected> destinations,
      long looksBackHours,
      int unlooked) {}

  Plan of(LimitsDocument before, LimitsDocument after) {
    List<LimitsDiff.Change> changes = LimitsDiff.of(before, after);
    Set<String> candidates = new LinkedHashSet<>();
    after.destinations().keySet().forEach(candidates::add);
    before.destinations().keySet().forEach(candidates::add);
    if (!before.defaults().budget().equals(after.defaults().budget())) {
      candidates.addAll(arrivals.busiest(PAST, MOST_DESTINATIONS));
    }
    List<String> changing =
        candidates.stream()
            .filter(id -> !before.of(id).budget().equals(after.of(id).budget()))
            .toList();
    List<String> looked = changing.subList(0, Math.min(MOST_DESTINATIONS, changing.size()));
    Arrivals.Past past = arrivals.of(looked, PAST);
    List<Affected> affected = new ArrayList<>();
    past.byDestination()
        .forEach((id, minutes) ->
            affected.add(
                affected(id, minutes, before.of(id).budget(), after.of(id).budget(), past)));
    return new Plan(changes, affected, PAST.toHours(), changing.size() - looked.size());
  }

  private static Affected affected(
      String id,
      List<Minute> minutes,
      BudgetSettings before,
      BudgetSettings after,
      Arrivals.Past past) {
    long admitted = minutes.stream().mapToLong(Minute::admitted).sum();
    double arriving =
        minutes.stream()
                .filter(minute -> minute.at().isAfter(past.to().minus(LATELY)))
                .mapToLong(Minute::admitted)
                .sum()
            / (double) LATELY.toSeconds();
    return new Affected(
        id,
        admitted,
        arriving,
        before.ratePerSecond(),
        after.ratePerSecond(),
        replayed(before, minutes, past),
        replayed(after, minutes, past),
        warning(arriving, after));
  }

  private static Effect replayed(BudgetSettings limits, List<Minute> minutes, Arrivals.Past past) {
    Instant begin = minutes.isEmpty() ? past.from() : minutes.getFirst().at();
    Replay replay = new Replay(limits, begin);
    minutes.forEach(minute -> replay.minute(minute.at(), minute.admitted()));
    return Effect.of(replay.end(past.to()));
  }

  /** Three digits of it, so that a rate of one an hour is not 0.0. */
  private static String rate(double perSecond) {
    return new BigDecimal(perSecond).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  private static @Nullable String warning(double arriving, BudgetSettings after) {
    if (after.ratePerSecond() == 0) {
      return "it is closed: nothing will go";
    }
    return arriving > after.ratePerSecond()
        ? String.format(
            Locale.ROOT,
            "%s a second arrive now, more than the %s that it would allow: its backlog will grow",
            rate(arriving),
            rate(after.ratePerSecond()))
        : null;
  }
}
