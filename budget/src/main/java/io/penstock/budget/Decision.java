package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;

/** A budget's answer to "may something go now?". */
public sealed interface Decision {

  /**
   * Something may go.
   *
   * @param most how many at most, at least 1
   * @param mostRetries how many of them may be retries, 0 to {@code most}
   * @param mostBatch how many of them may be of batch urgency, 0 to {@code most}
   * @param probe whether this is the leased probe of a parked budget ({@code most} is 1 then)
   * @param generation the stamp for what is leased under this decision
   * @param paceOver spread what goes over this time; zero = at once
   */
  record Admit(
      int most, int mostRetries, int mostBatch, boolean probe, long generation, Duration paceOver)
      implements Decision {
    /** The same for fewer. */
    public Admit atMost(int count) {
      return new Admit(
          Math.min(most, count),
          Math.min(mostRetries, count),
          Math.min(mostBatch, count),
          probe,
          generation,
          paceOver);
    }
  }

  /** Nothing may go before {@code until}, which lies after now, rounded up to a millisecond. */
  record Wait(Instant until, WaitReason reason) implements Decision {}

  /** Nothing may go until somebody acts. */
  record Refuse(RefuseReason reason) implements Decision {}
}
