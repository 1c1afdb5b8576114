package io.penstock.engine.history;

import java.util.Locale;

/**
 * A turning point of a budget: something an operator will ask about.
 *
 * @param cause the answer that did it: a status ({@code 429}) or the word of a failure
 * @param before the rate in force before it, per second
 * @param after the rate in force after it, per second
 * @param count failures in a row for a park and its probes; otherwise 0
 */
public record Mark(Kind kind, String cause, double before, double after, int count) {

  /** What turned. The names are words of the history table, in lower case. */
  public enum Kind {
    /** The rate was cut. */
    CUT,
    /** The budget closed itself and knocks with probes. */
    PARKED,
    /** A probe failed: it stays parked. */
    PROBE_FAILED,
    /** A probe got through: it opens again. */
    UNPARKED,
    /** It closed itself until an operator acts. */
    CLOSED;

    /** The word in the ledger and the API. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
