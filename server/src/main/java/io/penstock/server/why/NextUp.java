package io.penstock.server.why;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Forecast;
import io.penstock.budget.Forecast.Expected;
import io.penstock.budget.Forecast.Stretch;
import io.penstock.budget.Forecast.Turn;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.NextView;
import io.penstock.postgres.read.NextView.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One delivery that waits, with its expected time and what it waits for last. Pure.
 *
 * @param code as in "why"
 * @param estimate null = somebody must act
 */
record NextUp(String destinationId, Place place, String code, @Nullable Estimate estimate) {

  private static final Comparator<NextUp> BY_TIME =
      Comparator.comparing(
          NextUp::estimate,
          Comparator.nullsLast(
              Comparator.comparing(Estimate::atLeast).thenComparing(Estimate::at)));

  /** The first of all lines, in the order in which they are expected to be claimed. */
  static List<NextUp> of(NextView view, Limits limits, int most) {
    List<NextUp> all = new ArrayList<>();
    for (NextView.Line line : view.lines()) {
      all.addAll(of(line, Line.settings(line.destination().destination(), limits), view.now()));
    }
    // The sort is stable: what goes at one time stays in the order of service.
    return all.stream().sorted(BY_TIME).limit(most).toList();
  }

  private static List<NextUp> of(NextView.Line line, BudgetSettings settings, Instant now) {
    Gate.Closed closed = line.destination().inForce().closed();
    String id = line.destination().destination().id();
    if (closed != null) {
      String code = closed.name().toLowerCase(Locale.ROOT);
      return line.first().stream().map(place -> new NextUp(id, place, code, null)).toList();
    }
    List<Stretch> stretches =
        line.first().stream()
            .map(place -> Line.stretch(1, place.notBefore(), place.lane(), place.urgency()))
            .toList();
    List<Expected> expected = Forecast.of(line.destination().budget(), settings, stretches, now);
    List<NextUp> next = new ArrayList<>();
    for (int i = 0; i < stretches.size(); i++) {
      Expected one = expected.get(i);
      next.add(
          new NextUp(id, line.first().get(i), code(one, stretches.get(i), now), Estimate.of(one)));
    }
    return next;
  }

  private static String code(Expected expected, Stretch stretch, Instant now) {
    String own =
        !stretch.notBefore().isAfter(now)
            ? "due"
            : stretch.turn() == Turn.RETRY ? "back_off" : "scheduled";
    return switch (expected) {
      case Expected.Goes goes -> goes.reason() == null ? own : goes.reason().code();
      case Expected.Later later -> later.reason() == null ? own : later.reason().code();
      case Expected.Refused refused -> refused.reason().name().toLowerCase(Locale.ROOT);
    };
  }
}
