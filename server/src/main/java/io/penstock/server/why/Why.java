package io.penstock.server.why;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Decision;
import io.penstock.budget.Explanation;
import io.penstock.budget.Forecast.Turn;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.postgres.read.DeliveryView;
import io.penstock.postgres.read.WaitingView;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why something waits, and until when: asked of the same pure rules that claims ask, in the same
 * order (gate, place in line, budget, slots of the node), and put into one sentence. Pure.
 *
 * @param code the stable word for programs
 * @param numbers what belongs to the code, by stable names
 * @param until when what holds it now ends; null = somebody must act, or nothing waits
 * @param estimate when it is expected to go; null as for {@code until}, or it is being sent
 */
record Why(
    String code,
    String sentence,
    Map<String, Object> numbers,
    @Nullable Instant until,
    @Nullable Estimate estimate) {

  /** The answer, and the line that it comes from; no line = nothing waits behind an open gate. */
  record Answer(Why why, @Nullable Line line) {}

  /** Who asks, and of which node. */
  record Asked(NodeLoad load, boolean byOperator, TubeWhy.Workers workers) {
    /** Of what is pushed. */
    Asked(NodeLoad load, boolean byOperator) {
      this(load, byOperator, TubeWhy.Workers.NONE);
    }
  }

  /** The answer for a destination, or for the delivery that the view is about. */
  static Answer of(WaitingView view, BudgetSettings settings, Asked asked) {
    DeliveryView delivery = view.delivery();
    if (delivery != null && isOver(delivery.state())) {
      return new Answer(Ended.why(delivery), null);
    }
    if (delivery != null && asked.workers().holder() != null) {
      return new Answer(TubeWhy.held(asked.workers().holder(), view.now()), null);
    }
    if (delivery != null && delivery.state() == DeliveryState.LEASED) {
      return new Answer(leased(delivery), null);
    }
    Gate.Closed closed = view.destination().inForce().closed();
    if (delivery == null && view.heads().isEmpty()) {
      String but = closed == null ? refusal(view, settings) : gate(closed, view, asked);
      String sentence = ("Nothing waits for this destination. " + but).strip();
      return new Answer(new Why("nothing_waits", sentence, Map.of(), null, null), null);
    }
    if (closed != null) {
      return new Answer(ClosedGates.why(closed, view, asked.byOperator()), null);
    }
    Line line =
        delivery == null ? Line.ofHeads(view, settings) : Line.before(view, delivery, settings);
    Estimate estimate = Estimate.of(line.expected());
    boolean cut = view.ahead().stream().anyMatch(a -> a.count() >= WaitingView.MOST_AHEAD);
    estimate = cut && estimate != null ? estimate.noEarlier() : estimate;
    Why why =
        line.stretch().notBefore().isAfter(view.now())
            ? scheduled(view, line)
            : due(view, line, settings, asked);
    return new Answer(why.with(line, estimate, view.now()), line);
  }

  private static String gate(Gate.Closed closed, WaitingView view, Asked asked) {
    return ClosedGates.why(closed, view, asked.byOperator()).sentence;
  }

  /** What would hold up whatever came, as long as nobody acts; empty = nothing. */
  private static String refusal(WaitingView view, BudgetSettings settings) {
    Decision decision = Budget.ask(view.destination().budget(), settings, view.now()).decision();
    return decision instanceof Decision.Refuse refuse ? Refusals.why(refuse.reason()).sentence : "";
  }

  private static boolean isOver(DeliveryState state) {
    return switch (state) {
      case PENDING, RETRYING, LEASED -> false;
      case DELIVERED, DEAD, CANCELLED -> true;
    };
  }

  private static Why leased(DeliveryView delivery) {
    String sentence =
        "It is being sent by %s right now; the lease runs until %s."
            .formatted(delivery.leasedBy(), delivery.leaseUntil());
    return new Why("leased", sentence, Map.of(), delivery.leaseUntil(), null);
  }

  private static Why scheduled(WaitingView view, Line line) {
    Instant at = line.stretch().notBefore();
    boolean retry = line.stretch().turn() == Turn.RETRY;
    DeliveryView delivery = view.delivery();
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("not_before", at.toString());
    String after = "";
    if (delivery != null && delivery.attempts() > 0) {
      numbers.put("attempts", delivery.attempts());
      after =
          " after %,d %s (last status %s)"
              .formatted(
                  delivery.attempts(),
                  delivery.attempts() == 1 ? "attempt" : "attempts",
                  delivery.lastStatus() == 0 ? "none" : delivery.lastStatus());
    }
    String sentence =
        "%s is scheduled for %s, in %s%s."
            .formatted(
                first(view, line),
                Words.time(at),
                Words.length(Duration.between(view.now(), at)),
                after);
    return new Why(retry ? "back_off" : "scheduled", sentence, numbers, at, null);
  }

  /** Who is meant: the delivery that was asked about, or the first that the destination has. */
  private static String first(WaitingView view, Line line) {
    if (view.delivery() != null) {
      return line.stretch().turn() == Turn.RETRY ? "Its retry" : "It";
    }
    return switch (line.stretch().turn()) {
      case FIRST -> "The first in line";
      case RETRY -> "The first in line, a retry after a failed attempt,";
      case REDRIVE -> "The first in line, redriven,";
    };
  }

  /**
   * It may go as far as its own time is concerned: the budget decides, then its place, the node.
   */
  private static Why due(WaitingView view, Line line, BudgetSettings settings, Asked asked) {
    var state = view.destination().budget();
    Decision decision = Budget.ask(state, settings, view.now()).decision();
    return switch (decision) {
      case Decision.Refuse refuse -> Refusals.why(refuse.reason());
      case Decision.Wait wait -> waits(wait, view.now());
      case Decision.Admit admit -> {
        Decision.Wait part = null;
        if (line.stretch().turn() != Turn.FIRST && admit.mostRetries() == 0) {
          part = Budget.retriesWait(state, settings, view.now());
        } else if (line.stretch().batch() && admit.mostBatch() == 0) {
          part = Budget.batchWait(state, settings, view.now());
        }
        if (part != null) {
          yield waits(part, view.now());
        }
        yield view.destination().destination().mode() == Destination.Mode.PULL
            ? TubeWhy.forWorker(admit, asked.workers(), view.now())
            : mayGo(admit, line, view.now(), asked.load());
      }
    };
  }

  private static Why waits(Decision.Wait wait, Instant now) {
    return new Why(
        wait.reason().code(),
        Explanation.of(wait, now),
        Numbers.of(wait.reason()),
        wait.until(),
        null);
  }

  private static Why mayGo(Decision.Admit admit, Line line, Instant now, NodeLoad load) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    if (line.ahead() >= admit.most()) {
      numbers.put("admitted", admit.most());
      return new Why(
          "in_line", "The budget lets %,d go at once.".formatted(admit.most()), numbers, now, null);
    }
    if (load.inFlight() >= load.slots()) {
      numbers.put("node", load.node());
      numbers.put("in_flight", load.inFlight());
      numbers.put("slots", load.slots());
      String sentence =
          "All %,d slots of node %s are in flight; the next answer frees one."
              .formatted(load.slots(), load.node());
      return new Why("node_slots", sentence, numbers, null, null);
    }
    numbers.put("admitted", admit.most());
    String sentence =
        "It is due now: the budget lets %,d go at once, and a node takes it within a moment."
            .formatted(admit.most());
    return new Why("due", sentence, numbers, now, null);
  }

  /** Adds its place in line, and when it is expected to go if that is not what was said. */
  private Why with(Line line, @Nullable Estimate expected, Instant now) {
    StringBuilder said = new StringBuilder(sentence);
    Map<String, Object> all = new LinkedHashMap<>(numbers);
    int ahead = line.ahead();
    if (ahead > 0 && line.mine() == line.stretches().size() - 1) {
      all.put("ahead", ahead);
      said.append(
          " %s %s before it"
              .formatted(Words.count(ahead, WaitingView.MOST_AHEAD), ahead == 1 ? "goes" : "go"));
      said.append(
          expected == null || !expected.at().isAfter(now)
              ? "."
              : "; " + expectation(expected, now) + ".");
    } else if (expected != null && until != null && expected.at().isAfter(until)) {
      said.append(" It is " + expectation(expected, now) + ".");
    }
    return new Why(code, said.toString(), all, until, expected);
  }

  private static String expectation(Estimate expected, Instant now) {
    String length = Words.length(Duration.between(now, expected.at()));
    return "expected to go in %s%s".formatted(expected.atLeast() ? "more than " : "about ", length);
  }
}
