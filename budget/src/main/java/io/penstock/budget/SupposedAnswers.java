package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The answers that a {@link Forecast} supposes: everything in flight is delivered after the mean
 * round trip. Used by one run.
 */
final class SupposedAnswers {
  /** While no success has taught how long one takes. */
  private static final Duration UNKNOWN_TRIP = Duration.ofMillis(100);

  private static final Outcome DELIVERED = new Outcome.Delivered(200, "", Hint.NONE);

  private final Duration trip;
  private final PriorityQueue<Answer> coming =
      new PriorityQueue<>(Comparator.comparing(Answer::at).thenComparingLong(Answer::number));
  private long number;

  /** Answers of one batch, which were sent together. */
  private record Answer(
      Instant at, long number, int count, Stamp stamp, Duration took, Duration charged) {}

  /** What is in flight now ends spread over a round trip. */
  SupposedAnswers(BudgetState state, BudgetSettings settings, Instant now) {
    trip =
        state.rate.roundTrip > 0
            ? Duration.ofNanos(Micros.ofSeconds(state.rate.roundTrip) * 1_000)
            : UNKNOWN_TRIP;
    Duration charged = Budget.chargePerJob(state, settings, now);
    Duration took = length(charged);
    boolean probe = state.park.parked() && state.park.probeOut(Micros.of(now));
    for (int i = 1; i <= state.inFlight(); i++) {
      Instant at = now.plus(took.multipliedBy(i).dividedBy(state.inFlight()));
      Stamp stamp = new Stamp(state.generation(), probe && i == 1, false, false);
      coming.add(new Answer(at, number++, 1, stamp, took, charged));
    }
  }

  /** A job takes what it is charged for, a request the mean round trip. */
  private Duration length(Duration charged) {
    return charged.isZero() ? trip : charged;
  }

  void sent(int count, Stamp stamp, Duration charged, Instant now) {
    Duration took = length(charged);
    coming.add(new Answer(now.plus(took), number++, count, stamp, took, charged));
  }

  /** When the next answer comes; null = nothing is in flight. */
  @Nullable Instant next() {
    Answer next = coming.peek();
    return next == null ? null : next.at();
  }

  /** Books what comes up to then, each at its time. */
  BudgetState feed(BudgetState before, BudgetSettings settings, Instant then) {
    BudgetState state = before;
    while (!coming.isEmpty() && !coming.peek().at().isAfter(then)) {
      Answer answer = coming.poll();
      for (int i = 0; i < answer.count(); i++) {
        state =
            settings.work() == null
                ? Budget.feed(
                    state,
                    settings,
                    new Feedback.Ended(answer.stamp(), DELIVERED, answer.took()),
                    answer.at())
                : Budget.feedJob(
                    state,
                    settings,
                    new JobFeedback.Ended(
                        answer.stamp(), DELIVERED, answer.took(), answer.charged(), false),
                    answer.at());
      }
    }
    return state;
  }
}
