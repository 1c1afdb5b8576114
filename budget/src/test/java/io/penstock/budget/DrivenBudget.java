package io.penstock.budget;

import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.time.Instant;

/** A budget that a test drives by hand. */
final class DrivenBudget {
  static final Duration TRIP = Duration.ofMillis(20);

  final TestClock clock;
  BudgetSettings settings;
  BudgetState state;

  DrivenBudget(BudgetSettings settings, TestClock clock) {
    this.settings = settings;
    this.clock = clock;
    state = BudgetState.initial(settings, 1, clock.instant());
  }

  Decision ask() {
    Budget.Asked asked = Budget.ask(state, settings, clock.instant());
    state = asked.state();
    return asked.decision();
  }

  /** Takes all that may go and says how many that were. */
  int takeAll() {
    if (ask() instanceof Decision.Admit admit) {
      state =
          Budget.debit(
              state,
              settings,
              new Budget.Debit(admit.most(), 0, 0, admit.probe()),
              clock.instant());
      return admit.most();
    }
    return 0;
  }

  void take(int count) {
    take(count, 0);
  }

  void take(int count, int retries) {
    Budget.Debit debit = new Budget.Debit(count, retries, 0, false);
    state = Budget.debit(state, settings, debit, clock.instant());
  }

  Stamp stamp() {
    return new Stamp(state.generation(), false, false, false);
  }

  /** The answer to something that was sent just now. */
  void feed(Outcome outcome) {
    feed(stamp(), outcome);
  }

  void feed(Stamp stamp, Outcome outcome) {
    feed(new Feedback.Ended(stamp, outcome, TRIP));
  }

  void feed(Feedback feedback) {
    state = Budget.feed(state, settings, feedback, clock.instant());
  }

  Instant waitsUntil() {
    if (ask() instanceof Decision.Wait wait) {
      return wait.until();
    }
    throw new AssertionError("it does not wait: " + ask());
  }

  Duration waits() {
    return Duration.between(clock.instant(), waitsUntil());
  }

  double rate() {
    return state.ratePerSecond(settings);
  }

  /** Sends whatever may go for a time, in steps of 10 ms, with this outcome a step later. */
  int run(Duration length, Outcome outcome) {
    int sent = 0;
    for (long i = 0; i < length.toMillis() / 10; i++) {
      Stamp stamp = new Stamp(state.generation(), state.parked(), false, false);
      int took = takeAll();
      clock.advance(Duration.ofMillis(10));
      for (int k = 0; k < took; k++) {
        feed(stamp, outcome);
      }
      sent += took;
    }
    return sent;
  }

  static Outcome ok() {
    return new Outcome.Delivered(200, "ok", Hint.NONE);
  }

  static Outcome throttled() {
    return new Outcome.Throttled(429, "throttled", Hint.NONE);
  }

  static Outcome throttled(Duration stayAway) {
    return new Outcome.Throttled(429, "throttled", new Hint(stayAway));
  }

  static Outcome failed() {
    return new Outcome.Transient(500, "error", Hint.NONE);
  }

  static Outcome timedOut() {
    return new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT);
  }
}
