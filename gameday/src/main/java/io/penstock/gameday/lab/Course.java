package io.penstock.gameday.lab;

import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * One sender with an endless backlog against one limiter, and what was seen second by second. The
 * loop is the engine's: ask, lease, send paced, settle, ask again.
 */
final class Course {
  /** A node claims for one destination at most so often. */
  private static final long CLAIM_GAP = 5_000;

  /** Answers are settled in batches. */
  private static final long SETTLE = 3_000;

  /** A wait without an end is looked at again after this. */
  private static final long RECHECK = Timeline.SECOND;

  private final Timeline timeline = new Timeline();
  private final Sender sender;
  private final Limiter limiter;
  private final RandomGenerator random;
  private final double roundTripSeconds;
  private final Duration timeout;
  private final int seconds;
  private final int[] accepted;
  private final int[] refused;
  private final double[] rates;
  private final Seconds seen;
  private long wakeAt = Long.MAX_VALUE;
  private long wakeNo;
  private long firstRefusalBooked = -1;
  private long halvedAt = -1;
  private long parkedAt = -1;

  Course(
      Sender sender,
      Limiter limiter,
      RandomGenerator random,
      double roundTripSeconds,
      Duration timeout,
      int seconds) {
    this.sender = sender;
    this.limiter = limiter;
    this.random = random;
    this.roundTripSeconds = roundTripSeconds;
    this.timeout = timeout;
    this.seconds = seconds;
    accepted = new int[seconds];
    refused = new int[seconds];
    rates = new double[seconds];
    seen = new Seconds(accepted, refused);
  }

  Course run() {
    wake(0);
    for (int second = 0; second < seconds; second++) {
      timeline.runUntil((second + 1) * Timeline.SECOND);
      rates[second] = sender.rate();
    }
    return this;
  }

  private void wake(long at) {
    if (at >= wakeAt) {
      return;
    }
    wakeAt = at;
    long no = ++wakeNo;
    timeline.at(
        at,
        () -> {
          if (no == wakeNo) {
            wakeAt = Long.MAX_VALUE;
            claim();
          }
        });
  }

  private void claim() {
    switch (sender.take(timeline.instant())) {
      case Decision.Admit admit -> {
        long pace = admit.paceOver().toNanos() / 1_000;
        for (int i = 0; i < admit.most(); i++) {
          timeline.after(pace * i / admit.most(), () -> send(admit));
        }
        wake(timeline.now() + CLAIM_GAP);
      }
      case Decision.Wait wait -> wake(Timeline.of(wait.until()));
      case Decision.Refuse _ -> wake(timeline.now() + RECHECK);
    }
  }

  private void send(Decision.Admit admit) {
    double factor = 0.7 + 0.4 * random.nextDouble() - 0.2 * Math.log(1 - random.nextDouble());
    long trip = (long) (roundTripSeconds * factor * Timeline.SECOND);
    long sentAt = timeline.now();
    timeline.after(trip / 2, () -> arrive(admit, sentAt, trip));
  }

  private void arrive(Decision.Admit admit, long sentAt, long trip) {
    Limiter.Verdict verdict = limiter.arrives(timeline.now());
    int second = (int) (timeline.now() / Timeline.SECOND);
    (verdict.accepted() ? accepted : refused)[second]++;
    long back = verdict.status() == 0 ? timeout.toNanos() / 1_000 : trip / 2;
    timeline.after(
        back,
        () -> {
          if (verdict.accepted()) {
            limiter.answered();
          }
        });
    timeline.after(back + SETTLE, () -> settle(admit, verdict, timeline.now() - sentAt));
  }

  private void settle(Decision.Admit admit, Limiter.Verdict verdict, long took) {
    Hint hint = new Hint(verdict.retryAfter());
    Outcome outcome =
        switch (verdict.status()) {
          case 200 -> new Outcome.Delivered(200, "ok", hint);
          case 0 -> new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT);
          default -> new Outcome.Throttled(verdict.status(), "throttled", hint);
        };
    double before = sender.rate();
    sender.feed(
        new Feedback.Ended(Sender.stamp(admit), outcome, Duration.ofNanos(took * 1_000)),
        timeline.instant());
    if (!verdict.accepted() && firstRefusalBooked < 0) {
      firstRefusalBooked = timeline.now();
    }
    if (halvedAt < 0 && sender.rate() <= before / 2) {
      halvedAt = timeline.now();
    }
    if (parkedAt < 0 && sender.parked()) {
      parkedAt = timeline.now();
    }
    wake(timeline.now());
  }

  /** Accepted per second from second {@code from} to before {@code to}. */
  double acceptedPerSecond(int from, int to) {
    return seen.acceptedPerSecond(from, to);
  }

  int refused(int from, int to) {
    return seen.refused(from, to);
  }

  int accepted(int from, int to) {
    return seen.accepted(from, to);
  }

  /** The share of 429s among all answers. */
  double refusedShare(int from, int to) {
    return seen.refusedShare(from, to);
  }

  /** When the limit was found; see {@link Seconds#foundAfter}. */
  double foundAfter(double limit, int from) {
    return seen.foundAfter(limit, from);
  }

  /** When a rate was reached; see {@link Seconds#reaches}. */
  double reaches(double perSecond, int from) {
    return seen.reaches(perSecond, from);
  }

  /** Seconds from {@code from} until the rate itself is at least this; NaN when it never is. */
  double rateReaches(double perSecond, int from) {
    for (int s = from; s < seconds; s++) {
      if (rates[s] >= perSecond) {
        return s + 1 - from;
      }
    }
    return Double.NaN;
  }

  /** From the first booked refusal to the halved rate, in seconds; NaN when it never was. */
  double secondsToHalve() {
    return halvedAt < 0 ? Double.NaN : (double) (halvedAt - firstRefusalBooked) / Timeline.SECOND;
  }

  /** The second of the first park; NaN when there was none. */
  double parkedAt() {
    return parkedAt < 0 ? Double.NaN : (double) parkedAt / Timeline.SECOND;
  }

  double rate(int second) {
    return rates[second];
  }
}
