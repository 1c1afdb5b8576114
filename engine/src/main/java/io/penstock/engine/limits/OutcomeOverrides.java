package io.penstock.engine.limits;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which statuses mean another outcome at one destination than the table says. A single status wins
 * over its hundred. Checks itself.
 *
 * @param byStatus from a status, 200 to 599
 * @param byHundred from the first digit of a status, 2 to 5
 */
public record OutcomeOverrides(Map<Integer, Kind> byStatus, Map<Integer, Kind> byHundred) {
  private static final int LOWEST = 200;
  private static final int HIGHEST = 599;

  public static final OutcomeOverrides NONE = new OutcomeOverrides(Map.of(), Map.of());

  /** The outcomes that an answer with a status can have. */
  public enum Kind {
    DELIVERED,
    THROTTLED,
    TRANSIENT,
    UNKNOWN,
    REJECTED,
    UNAUTHORISED,
    GONE;

    /** The word in the file. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private Outcome outcome(int status, Hint hint) {
      String detail = "http_" + status;
      return switch (this) {
        case DELIVERED -> new Outcome.Delivered(status, detail, hint);
        case THROTTLED -> new Outcome.Throttled(status, detail, hint);
        case TRANSIENT -> new Outcome.Transient(status, detail, hint);
        case UNKNOWN -> new Outcome.Unknown(status, detail);
        case REJECTED -> new Outcome.Rejected(status, detail);
        case UNAUTHORISED -> new Outcome.Unauthorised(status, detail);
        case GONE -> new Outcome.Gone(status, detail);
      };
    }
  }

  public OutcomeOverrides {
    byStatus = Map.copyOf(new TreeMap<>(byStatus));
    byHundred = Map.copyOf(new TreeMap<>(byHundred));
    byStatus.keySet().forEach(status -> check(status, status >= LOWEST && status <= HIGHEST));
    byHundred.keySet().forEach(digit -> check(digit, digit >= 2 && digit <= 5));
  }

  private static void check(int got, boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException(
          "outcomes: got %d, wanted a status of 200 to 599, or 2xx to 5xx".formatted(got));
    }
  }

  /** The outcome of an answer when this destination has its own; empty = as the table says. */
  public Optional<Outcome> outcome(int status, Hint hint) {
    Kind kind = byStatus.get(status);
    if (kind == null) {
      kind = byHundred.get(status / 100);
    }
    return Optional.ofNullable(kind).map(own -> own.outcome(status, hint));
  }
}
