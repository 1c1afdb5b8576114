package io.penstock.budget;

import java.time.Duration;

/** What comes back to a budget for one lease, exactly once per lease number. Frees its slot. */
public sealed interface Feedback {
  Stamp stamp();

  /** The attempt was made and ended; {@code took} is its round trip. */
  record Ended(Stamp stamp, Outcome outcome, Duration took) implements Feedback {}

  /** Nothing was sent; the token returns if the generation is still the same. */
  record HandedBack(Stamp stamp) implements Feedback {}

  /** The lease ran out and nobody knows what happened. */
  record LeaseLost(Stamp stamp) implements Feedback {}

  /**
   * A job of a tube ended. {@code charged} is what its lease was charged so far; {@code noOp} says
   * that there was nothing to do, which teaches nothing about how long jobs take. A lease that was
   * lost is fed back so, with the outcome unknown and the time until it ran out.
   */
  record Worked(Stamp stamp, Outcome outcome, Duration took, Duration charged, boolean noOp)
      implements Feedback {}

  /** A job of a tube was returned untouched: what its lease was charged comes back. */
  record WorkHandedBack(Stamp stamp, Duration charged) implements Feedback {}
}
