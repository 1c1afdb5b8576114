package io.penstock.budget;

import java.time.Duration;

/**
 * What comes back to a tube's budget for one lease, exactly once per lease number: a {@link
 * Feedback} that also settles the worker-seconds.
 */
public sealed interface JobFeedback {
  Stamp stamp();

  /**
   * A job ended.
   *
   * @param charged what its lease was charged so far
   * @param noOp whether there was nothing to do, which teaches nothing about how long jobs take
   * @param lent whether it ran on what the pool had to spare: counted apart and not charged
   */
  record Ended(
      Stamp stamp, Outcome outcome, Duration took, Duration charged, boolean noOp, boolean lent)
      implements JobFeedback {
    /** Of a job that was not lent. */
    public Ended(Stamp stamp, Outcome outcome, Duration took, Duration charged, boolean noOp) {
      this(stamp, outcome, took, charged, noOp, false);
    }
  }

  /**
   * The lease was lost: its worker fell silent. Charged until the lease ran out. That says nothing
   * about where the work goes, so no rate is cut and nothing parks.
   *
   * @param took the time until it ran out
   */
  record Lost(Stamp stamp, Duration took, Duration charged, boolean lent) implements JobFeedback {}

  /** A job was cancelled while it ran: charged for the time it was held, and nothing is learned. */
  record Cancelled(Stamp stamp, Duration took, Duration charged, boolean lent)
      implements JobFeedback {}

  /** A job was returned untouched: what its lease was {@code charged} comes back. */
  record HandedBack(Stamp stamp, Duration charged) implements JobFeedback {}
}
