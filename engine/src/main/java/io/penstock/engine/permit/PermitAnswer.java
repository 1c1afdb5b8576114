package io.penstock.engine.permit;

import io.penstock.budget.Decision;
import io.penstock.budget.permit.Permit;
import io.penstock.engine.destination.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What came of asking a destination for permits. */
public sealed interface PermitAnswer {

  /**
   * Permits, at least one; a parked destination grants exactly one, the probe.
   *
   * @param paceOver spread the requests over this time; zero = at once
   */
  record Granted(List<Permit> permits, Duration paceOver) implements PermitAnswer {
    public Granted {
      permits = List.copyOf(permits);
    }
  }

  /** None now; {@code retryAfter} says when, in milliseconds, rounded up. */
  record Later(Decision.Wait why, Duration retryAfter, Instant now) implements PermitAnswer {}

  /** None until somebody acts: the budget says why. */
  record Refused(Decision.Refuse why, Instant now) implements PermitAnswer {}

  /** None until somebody acts: its gate is closed. */
  record Closed(Gate.Closed why) implements PermitAnswer {}

  /** There is no such destination. */
  record Absent() implements PermitAnswer {}
}
