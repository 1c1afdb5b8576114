package io.penstock.server.shelf;

import io.penstock.engine.delivery.Reason;
import io.penstock.postgres.read.ShelfFilter;
import io.penstock.server.http.Call;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The query parameters that say which dead letters are wanted. */
final class ShelfParameters {
  /** What every list of dead letters can be asked by. */
  static final Set<String> NAMES =
      Set.of(
          "tenant",
          "destination",
          "outcome",
          "reason",
          "status",
          "type",
          "since",
          "until",
          "show",
          "cursor",
          "limit");

  private static final int MOST_STATUS = 999;

  /** Outcomes after which a delivery can end. */
  private static final List<String> OUTCOMES =
      List.of(
          "transient",
          "unknown",
          "rejected",
          "unauthorised",
          "gone",
          "unsendable",
          "throttled",
          "misconfigured",
          "ours");

  private ShelfParameters() {}

  static ShelfFilter filter(Call call, Set<String> tenantIds, Supplier<Instant> now) {
    return new ShelfFilter(
        tenantIds,
        call.queryId("destination").orElse(null),
        call.query("outcome").map(ShelfParameters::outcome).orElse(null),
        reason(call).orElse(null),
        call.queryWhole("status", 0, MOST_STATUS).orElse(null),
        call.query("type").map(ShelfParameters::type).orElse(null),
        call.queryTime("since", now).orElse(null),
        call.queryTime("until", now).orElse(null),
        onShelf(call.query("show").orElse("shelf")));
  }

  static Optional<Reason> reason(Call call) {
    return call.query("reason")
        .map(word ->
            Arrays.stream(Reason.values())
                .filter(reason -> reason != Reason.CANCELLED && reason.word().equals(word))
                .findFirst()
                .orElseThrow(() -> ProblemException.parameter("reason", word, reasons())));
  }

  private static String reasons() {
    return "one of "
        + String.join(
            ", ",
            Arrays.stream(Reason.values())
                .filter(reason -> reason != Reason.CANCELLED)
                .map(Reason::word)
                .toList());
  }

  private static String outcome(String word) {
    if (!OUTCOMES.contains(word)) {
      throw ProblemException.parameter("outcome", word, "one of " + String.join(", ", OUTCOMES));
    }
    return word;
  }

  private static String type(String type) {
    if (!Texts.isType(type)) {
      throw ProblemException.parameter("type", type, Texts.TYPE_WORDS);
    }
    return type;
  }

  private static @Nullable Boolean onShelf(String word) {
    return switch (word) {
      case "shelf" -> true;
      case "released" -> false;
      case "all" -> null;
      default -> throw ProblemException.parameter("show", word, "shelf, released or all");
    };
  }
}
