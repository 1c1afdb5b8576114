package io.penstock.gameday.lab;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A receiver's limit, as its receiver implements it. Times are microseconds of one clock. For one
 * thread.
 */
public interface Limiter {

  /**
   * What it answers.
   *
   * @param status 200, 429, or 0 for no answer
   * @param retryAfter what it says about when to come back; null when it says nothing
   */
  record Verdict(int status, @Nullable Duration retryAfter) {
    /** 200. */
    public static final Verdict ACCEPTED = new Verdict(200, null);

    /** 429, and not a word of when to come back. */
    public static final Verdict REFUSED = new Verdict(429, null);

    /** 429, with the time after which to come back. */
    public static Verdict refusedFor(Duration retryAfter) {
      return new Verdict(429, retryAfter);
    }

    /** Whether it is a 200. */
    public boolean accepted() {
      return status == 200;
    }
  }

  /** One request arrives. */
  Verdict arrives(long now);

  /** A request that was accepted has been answered. */
  default void answered() {}

  /** At most {@code limit} in each window of fixed bounds. */
  static Limiter fixed(LongToDoubleFunction limitPerSecond, long window, long phase) {
    return new Limiter() {
      private long current = Long.MIN_VALUE;
      private int count;

      @Override
      public Verdict arrives(long now) {
        long index = Math.floorDiv(now + phase, window);
        if (index != current) {
          current = index;
          count = 0;
        }
        double limit = limitPerSecond.applyAsDouble(now) * window / Timeline.SECOND;
        if (count + 1 > limit + 1e-9) {
          return Verdict.REFUSED;
        }
        count++;
        return Verdict.ACCEPTED;
      }
    };
  }

  /** At most {@code limit} in any window. */
  static Limiter sliding(LongToDoubleFunction limitPerSecond, long window) {
    return new Limiter() {
      private final Deque<Long> accepted = new ArrayDeque<>();

      @Override
      public Verdict arrives(long now) {
        while (!accepted.isEmpty() && accepted.getFirst() <= now - window) {
          accepted.removeFirst();
        }
        double limit = limitPerSecond.applyAsDouble(now) * window / Timeline.SECOND;
        if (accepted.size() + 1 > limit + 1e-9) {
          return Verdict.REFUSED;
        }
        accepted.addLast(now);
        return Verdict.ACCEPTED;
      }
    };
  }

  /** A token bucket. */
  static Limiter bucket(LongToDoubleFunction limitPerSecond, double burst) {
    return new Limiter() {
      private double tokens = burst;
      private long at;

      @Override
      public Verdict arrives(long now) {
        double rate = limitPerSecond.applyAsDouble(now);
        tokens = Math.min(burst, tokens + rate * (now - at) / Timeline.SECOND);
        at = now;
        if (tokens < 1) {
          return Verdict.REFUSED;
        }
        tokens--;
        return Verdict.ACCEPTED;
      }
    };
  }

  /** Says how long its window still takes. */
  static Limiter fixedWithRetryAfter(LongToDoubleFunction limitPerSecond, long window, long phase) {
    Limiter inner = fixed(limitPerSecond, window, phase);
    return now -> {
      Verdict verdict = inner.arrives(now);
      long left = window - Math.floorMod(now + phase, window);
      long wholeSeconds = Math.ceilDiv(left, Timeline.SECOND);
      return verdict.accepted() ? verdict : Verdict.refusedFor(Duration.ofSeconds(wholeSeconds));
    };
  }

  /** Others use the limit too, at rates that change every few seconds up to {@code share} of it. */
  static Limiter shared(double limit, double share, RandomGenerator random, Limiter inner) {
    return new Limiter() {
      private long othersAt;
      private long changesAt;
      private double othersPerSecond;

      @Override
      public Verdict arrives(long now) {
        while (othersAt < now) {
          if (othersAt >= changesAt) {
            changesAt = othersAt + random.nextLong(2, 8) * Timeline.SECOND;
            othersPerSecond = 1 + limit * share * random.nextDouble();
          }
          if (inner.arrives(othersAt).accepted()) {
            inner.answered();
          }
          othersAt += (long) (Timeline.SECOND / othersPerSecond);
        }
        return inner.arrives(now);
      }
    };
  }

  /** Bans for a time whoever is refused more than {@code tolerated} times within a second. */
  static Limiter banning(int tolerated, Duration ban, Limiter inner) {
    return new Limiter() {
      private final Deque<Long> refusals = new ArrayDeque<>();
      private long bannedUntil = Long.MIN_VALUE;

      @Override
      public Verdict arrives(long now) {
        if (now < bannedUntil) {
          return Verdict.REFUSED;
        }
        Verdict verdict = inner.arrives(now);
        if (!verdict.accepted()) {
          refusals.addLast(now);
          while (refusals.getFirst() <= now - Timeline.SECOND) {
            refusals.removeFirst();
          }
          if (refusals.size() > tolerated) {
            bannedUntil = now + ban.toNanos() / 1_000;
            refusals.clear();
          }
        }
        return verdict;
      }
    };
  }

  /** Refuses everything between two times, with or without saying for how long. */
  static Limiter wall(long from, long to, Limiter.Verdict during, Limiter inner) {
    return now -> now >= from && now < to ? during : inner.arrives(now);
  }

  /** Refuses what exceeds so many requests at once. */
  static Limiter inFlight(int most) {
    return new Limiter() {
      private int running;

      @Override
      public Verdict arrives(long now) {
        if (running >= most) {
          return Verdict.REFUSED;
        }
        running++;
        return Verdict.ACCEPTED;
      }

      @Override
      public void answered() {
        running--;
      }
    };
  }
}
