package io.penstock.gameday.lab;

import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Stamp;
import java.time.Instant;

/** A rule that says how fast to send. */
interface Sender {
  /** What may go now, already debited. */
  Decision take(Instant now);

  /** Books an answer. */
  void feed(Feedback feedback, Instant now);

  /** The rate it believes in, per second. */
  double rate();

  /** Whether it has closed itself. */
  boolean parked();

  /** The stamp for what was just taken. */
  static Stamp stamp(Decision.Admit admit) {
    return new Stamp(admit.generation(), admit.probe(), false, false);
  }
}
