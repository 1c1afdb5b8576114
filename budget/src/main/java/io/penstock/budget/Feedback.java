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
}
