package io.penstock.budget.permit;

import io.penstock.budget.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What came of asking for permits. */
public sealed interface Taken {

  /** Permits, at least one; a parked destination grants exactly one, the probe. */
  record Granted(List<Permit> permits, Duration paceOver) implements Taken {
    public Granted {
      permits = List.copyOf(permits);
    }
  }

  /**
   * None now.
   *
   * @param retryAfterSeconds for the header: whole seconds, rounded up
   * @param retryAfterMillis the same, exact; 0 only when nobody knows
   */
  record Denied(Decision decision, long retryAfterSeconds, long retryAfterMillis)
      implements Taken {}

  /** Says when to come back after a decision that admits nothing. */
  static Denied denied(Decision decision, Instant now) {
    long millis =
        switch (decision) {
          case Decision.Wait wait ->
              Math.ceilDiv(Duration.between(now, wait.until()).toNanos(), 1_000_000L);
          case Decision.Admit _, Decision.Refuse _ -> 0;
        };
    return new Denied(decision, Math.ceilDiv(millis, 1_000L), millis);
  }
}
