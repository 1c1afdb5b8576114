package io.penstock.server.why;

import io.penstock.budget.RefuseReason;
import io.penstock.engine.destination.Gate;
import io.penstock.postgres.read.CauseView;
import io.penstock.postgres.read.GateView;
import io.penstock.postgres.read.WaitingView;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Says why nothing goes behind a closed gate: whose gate, since when, by whom and why. Pure. */
final class ClosedGates {
  private ClosedGates() {}

  /**
   * The reason.
   *
   * @param toOperator whether the reader may know who closed it and what was said
   */
  static Why why(Gate.Closed closed, WaitingView view, boolean toOperator) {
    String code = closed.name().toLowerCase(Locale.ROOT);
    if (closed == Gate.Closed.DELETED) {
      String sentence = "The destination was deleted; what waits goes to the shelf.";
      return new Why(code, sentence, Map.of(), null, null);
    }
    String scope = scope(closed, view);
    Optional<CauseView> cause =
        view.causes().stream()
            .filter(one -> one.scope().equals(scope) && one.closed() == closed)
            .findFirst();
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("scope", scope);
    cause.ifPresent(one -> numbers.put("since", one.at().toString()));
    if (toOperator) {
      cause.ifPresent(one -> {
        numbers.put("by", one.actor());
        numbers.put("reason", one.reason());
      });
    }
    String sentence =
        "%s is %s%s: %s."
            .formatted(
                who(scope, view),
                code,
                cause.map(one -> told(one, toOperator)).orElse(""),
                remedy(closed, scope, view));
    return new Why(code, sentence, numbers, null, null);
  }

  /** Whose gate it is; the nearest when several are closed. */
  private static String scope(Gate.Closed closed, WaitingView view) {
    if (isClosed(view.destination().gate(), closed)) {
      return "destination";
    }
    return isClosed(view.tenant(), closed) ? "tenant" : "everything";
  }

  private static boolean isClosed(GateView gate, Gate.Closed closed) {
    return switch (closed) {
      case DELETED -> false;
      case DISABLED -> gate.disabled();
      case PAUSED -> gate.paused();
      case HELD -> gate.held();
    };
  }

  private static String who(String scope, WaitingView view) {
    return switch (scope) {
      case "destination" -> "The destination";
      case "tenant" -> "The tenant " + view.destination().destination().tenantId();
      default -> "The whole installation";
    };
  }

  private static String told(CauseView cause, boolean toOperator) {
    String since = " since " + Words.time(cause.at());
    if (!toOperator) {
      return since;
    }
    return cause.reason().isEmpty()
        ? "%s by %s".formatted(since, cause.actor())
        : "%s by %s (%s)".formatted(since, cause.actor(), cause.reason());
  }

  private static String remedy(Gate.Closed closed, String scope, WaitingView view) {
    RefuseReason reason = view.destination().budget().closed();
    String cause =
        reason == null || !scope.equals("destination") || closed == Gate.Closed.PAUSED
            ? ""
            : Refusals.cause(reason) + "; ";
    return switch (closed) {
      case DELETED -> throw new IllegalStateException("nothing remedies a deletion");
      case DISABLED -> cause + "what comes goes to the shelf until somebody enables it";
      case PAUSED -> "everything is kept until somebody resumes it";
      case HELD -> cause + "everything is kept until somebody releases it";
    };
  }
}
