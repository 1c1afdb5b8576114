package io.penstock.budget;

import java.time.Duration;

/**
 * What comes back to a metered tube's budget for one lease, exactly once per lease number: a {@link
 * Feedback} that also settles the worker-seconds.
 */
public sealed interface JobFeedback {
  Stamp stamp();

  /**
   * A job ended, or its lease was lost (the outcome is unknown then, and {@code took} the time
   * until it ran out).
   *
   * @param charged what its lease was charged so far
   * @param noOp whether there was nothing to do, which teaches nothing about how long jobs take
   */
  record Ended(Stamp stamp, Outcome outcome, Duration took, Duration charged, boolean noOp)
      implements JobFeedback {}

  /** A job was returned untouched: what its lease was {@code charged} comes back. */
  record HandedBack(Stamp stamp, Duration charged) implements JobFeedback {}
}
