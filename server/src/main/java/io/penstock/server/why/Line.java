package io.penstock.server.why;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Forecast;
import io.penstock.budget.Forecast.Expected;
import io.penstock.budget.Forecast.Stretch;
import io.penstock.budget.Forecast.Turn;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.DeliveryView;
import io.penstock.postgres.read.WaitingView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What stands in line for a destination, and when each is expected to go. Pure.
 *
 * @param each what is expected of each stretch
 * @param mine the index of who was asked about: a delivery, or the one that goes first
 */
record Line(List<Stretch> stretches, List<Expected> each, int mine) {

  /** What decides over a destination. */
  static BudgetSettings settings(Destination destination, Limits limits) {
    DestinationLimits its = limits.of(destination.id());
    return switch (destination.mode()) {
      case PUSH -> its.budget();
      case PULL -> its.tubeBudget();
    };
  }

  static Stretch stretch(int count, Instant notBefore, Lane lane, Urgency urgency) {
    Turn turn =
        switch (lane) {
          case FIRST -> Turn.FIRST;
          case RETRY -> Turn.RETRY;
          case REDRIVE -> Turn.REDRIVE;
        };
    return new Stretch(count, notBefore, turn, urgency == Urgency.BATCH);
  }

  /** The heads of a destination's lanes; whoever goes first is meant. */
  static Line ofHeads(WaitingView view, BudgetSettings settings) {
    List<Stretch> stretches =
        view.heads().stream()
            .map(head -> stretch(1, head.notBefore(), head.lane(), head.urgency()))
            .toList();
    List<Expected> expected =
        Forecast.of(view.destination().budget(), settings, stretches, view.now());
    int first = 0;
    for (int i = 1; i < expected.size(); i++) {
      if (expected.get(i) instanceof Expected.Goes goes
          && (!(expected.get(first) instanceof Expected.Goes best)
              || goes.at().isBefore(best.at()))) {
        first = i;
      }
    }
    return new Line(stretches, expected, first);
  }

  /** A delivery behind what goes before it. */
  static Line before(WaitingView view, DeliveryView delivery, BudgetSettings settings) {
    List<Stretch> stretches = new ArrayList<>();
    for (WaitingView.Ahead ahead : view.ahead()) {
      // Those that become due until then go first as well; that they are due now is near enough.
      stretches.add(stretch(ahead.count(), view.now(), ahead.lane(), ahead.urgency()));
    }
    stretches.add(stretch(1, delivery.notBefore(), delivery.lane(), delivery.urgency()));
    return new Line(
        stretches,
        Forecast.of(view.destination().budget(), settings, stretches, view.now()),
        stretches.size() - 1);
  }

  Stretch stretch() {
    return stretches.get(mine);
  }

  Expected expected() {
    return each.get(mine);
  }

  /** How many go before the one that is meant; those that are alike were counted up to a bound. */
  int ahead() {
    return stretches.subList(0, mine).stream().mapToInt(Stretch::count).sum();
  }
}
