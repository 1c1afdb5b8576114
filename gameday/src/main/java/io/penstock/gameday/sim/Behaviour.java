package io.penstock.gameday.sim;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How a receiver answers for a while: a small language of good and bad days. */
sealed interface Behaviour {
  /** Takes everything. */
  record Healthy() implements Behaviour {}

  /** At most so many in each window that begins on the clock. */
  record FixedWindow(int most, Duration window, Lie lie) implements Behaviour {}

  /** At most so many in any window. */
  record SlidingWindow(int most, Duration window, Lie lie) implements Behaviour {}

  /** A token bucket. */
  record Bucket(double perSecond, int burst, Lie lie) implements Behaviour {}

  /** A firewall that refuses this share with 403. */
  record Waf(double share) implements Behaviour {}

  /** Takes the request and does not answer. */
  record Hangs() implements Behaviour {}

  /** Takes the request and resets the connection. */
  record Resets() implements Behaviour {}

  /** Nobody listens. */
  record Refuses() implements Behaviour {}

  /** Answers 200 slowly. */
  record Drips(Duration most) implements Behaviour {}

  /** A share answers with this status, the rest with 200. */
  record BrownOut(double share, int status) implements Behaviour {}

  /** What a limiter says about when to come back. */
  enum Lie {
    NOTHING,
    HONEST,
    TOO_SOON,
    FAR_TOO_LATE
  }

  /** An answer and when it comes, counted from the request's arrival. */
  record Answer(Outcome outcome, Duration after) {}

  /** A receiver: behaves one way until it is told another. */
  final class Receiver {
    private static final Duration NEVER = Duration.ofHours(1);

    private final RandomGenerator random;
    private Behaviour behaviour = new Healthy();
    private final Deque<Long> taken = new ArrayDeque<>();
    private double tokens;
    private long accruedAt;

    Receiver(RandomGenerator random) {
      this.random = random;
    }

    void become(Behaviour next) {
      behaviour = next;
      taken.clear();
      tokens = 0;
    }

    Answer answer(long now) {
      return switch (behaviour) {
        case Healthy() -> ok();
        case FixedWindow(int most, Duration window, Lie lie) -> {
          long begins = now / window.toNanos() * window.toNanos();
          forget(begins);
          yield limited(most, now, begins + window.toNanos(), lie);
        }
        case SlidingWindow(int most, Duration window, Lie lie) -> {
          forget(now - window.toNanos());
          Long first = taken.peekFirst();
          yield limited(most, now, (first == null ? now : first) + window.toNanos(), lie);
        }
        case Bucket(double perSecond, int burst, Lie lie) -> {
          tokens = Math.min(burst, tokens + (now - accruedAt) * 1e-9 * perSecond);
          accruedAt = now;
          if (tokens >= 1) {
            tokens--;
            yield ok();
          }
          yield throttled((long) ((1 - tokens) / perSecond * 1e9), lie);
        }
        case Waf(double share) ->
            random.nextDouble() < share ? answer(new Outcome.Unauthorised(403, "forbidden")) : ok();
        case Hangs() -> new Answer(new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT), NEVER);
        case Resets() -> answer(new Outcome.Unknown(0, Outcome.Unknown.RESET));
        case Refuses() -> answer(new Outcome.Transient(0, "connect_refused", Hint.NONE));
        case Drips(Duration most) ->
            new Answer(
                new Outcome.Delivered(200, "ok", Hint.NONE),
                Duration.ofNanos(random.nextLong(most.toNanos())));
        case BrownOut(double share, int status) ->
            random.nextDouble() < share ? answer(outcomeOf(status)) : ok();
      };
    }

    private void forget(long before) {
      while (!taken.isEmpty() && taken.getFirst() < before) {
        taken.removeFirst();
      }
    }

    private Answer limited(int most, long now, long free, Lie lie) {
      if (taken.size() < most) {
        taken.add(now);
        return ok();
      }
      return throttled(free - now, lie);
    }

    private Answer throttled(long freeIn, Lie lie) {
      @Nullable Duration hint =
          switch (lie) {
            case NOTHING -> null;
            case HONEST -> Duration.ofSeconds(1 + freeIn / 1_000_000_000L);
            case TOO_SOON -> Duration.ofMillis(1);
            case FAR_TOO_LATE -> Duration.ofSeconds(45);
          };
      return answer(new Outcome.Throttled(429, "too_many_requests", new Hint(hint)));
    }

    private Answer ok() {
      return answer(new Outcome.Delivered(200, "ok", Hint.NONE));
    }

    private Answer answer(Outcome outcome) {
      long millis = random.nextInt(20) == 0 ? random.nextLong(800) : random.nextLong(15);
      return new Answer(outcome, Duration.ofMillis(1 + millis));
    }

    private static Outcome outcomeOf(int status) {
      return switch (status) {
        case 401, 403 -> new Outcome.Unauthorised(status, "refused");
        case 410 -> new Outcome.Gone(status, "gone");
        case 429 -> new Outcome.Throttled(status, "too_many_requests", Hint.NONE);
        default ->
            status >= 500
                ? new Outcome.Transient(status, "server_error", Hint.NONE)
                : new Outcome.Rejected(status, "rejected");
      };
    }
  }
}
