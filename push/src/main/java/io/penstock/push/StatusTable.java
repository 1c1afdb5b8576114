package io.penstock.push;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.limits.OutcomeOverrides;

/**
 * From the status of an answer to the class of its outcome: the one table, and what a destination's
 * limits say otherwise.
 */
public final class StatusTable {
  private StatusTable() {}

  /** The outcome of an answer with this status and hint at a destination with its own words. */
  public static Outcome outcome(int status, Hint hint, OutcomeOverrides own) {
    return own.outcome(status, hint).orElseGet(() -> outcome(status, hint));
  }

  /** The outcome of an answer with this status and hint. */
  static Outcome outcome(int status, Hint hint) {
    String detail = "http_" + status;
    return switch (status) {
      case 401, 403 -> new Outcome.Unauthorised(status, detail);
      case 408, 425 -> new Outcome.Transient(status, detail, hint);
      case 410 -> new Outcome.Gone(status, detail);
      case 429 -> new Outcome.Throttled(status, detail, hint);
      case 503 ->
          hint.stayAway() == null
              ? new Outcome.Transient(status, detail, hint)
              : new Outcome.Throttled(status, detail, hint);
      default -> ofRange(status, detail, hint);
    };
  }

  private static Outcome ofRange(int status, String detail, Hint hint) {
    return switch (status / 100) {
      case 2 -> new Outcome.Delivered(status, detail, hint);
      case 3, 4 -> new Outcome.Rejected(status, detail);
      case 5 -> new Outcome.Transient(status, detail, hint);
      default -> new Outcome.Unknown(0, "answer_garbled"); // HTTP knows no such status
    };
  }
}
