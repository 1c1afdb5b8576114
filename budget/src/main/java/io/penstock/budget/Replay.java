package io.penstock.budget;

import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.quota.QuotaUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What limits would have done to a past: arrivals by the minute go through the bucket and the quota
 * that a budget has, first come first served. The receiver is taken to answer at once and well, so
 * that it says what the limits alone would have held back; what an adaptive rate, slots or retries
 * would have added is not in it. One past per object, minutes in their order; for one thread.
 */
public final class Replay {
  /** Steps per minute at most: a burst that is a small part of a minute's arrivals needs many. */
  private static final int MOST_STEPS = 240;

  /** Of the jitter after a quota's boundary: a replay has no chance of its own. */
  private static final double HALF_JITTER = 0.5;

  /** Rounding leaves less than this of a delivery. */
  private static final double HAIR = 1e-6;

  private static final long MINUTE = 60 * Micros.SECOND;

  private final double rate;
  private final double burst;
  private final @Nullable QuotaSettings quota;
  private final Deque<Group> line = new ArrayDeque<>();
  private Bucket bucket;
  private @Nullable QuotaUse use;
  private long notBefore;
  private long at;
  private double waiting;
  private double heldBack;
  private long longestWait;
  private int quotaHits;
  private boolean spent;

  /** The part of a delivery that the quota has not counted yet. */
  private double counting;

  /** What came within one step. */
  private static final class Group {
    final long since;
    double count;
    boolean counted;

    Group(long since, double count) {
      this.since = since;
      this.count = count;
    }
  }

  /**
   * What came of it.
   *
   * @param heldBack arrivals that could not go within the second in which they came
   * @param longestWait of one that went or still waits
   * @param quotaHits windows of the quota that were spent while something waited
   * @param left what still waited at the end
   */
  public record Result(long heldBack, Duration longestWait, int quotaHits, long left) {}

  /** Begins with a full bucket and an unused quota. */
  public Replay(BudgetSettings settings, Instant begin) {
    rate = settings.ratePerSecond();
    burst = settings.burst();
    quota = settings.quota();
    at = Micros.of(begin);
    notBefore = at;
    bucket = new Bucket(rate > 0 ? burst : 0, at, rate, burst);
  }

  /** So many came in, evenly, in the minute that begins here; minutes before it were empty. */
  public void minute(Instant begin, long arrivals) {
    long from = Micros.of(begin);
    quiet(from);
    double perStep = Math.max(1, Math.min(burst, Math.max(rate, 1)));
    double toDo = Math.max((double) arrivals, Math.min(waiting + arrivals, rate * 60));
    int steps = (int) Math.clamp(Math.ceil(toDo / perStep), 1, MOST_STEPS);
    for (int i = 1; i <= steps; i++) {
      long now = from + MINUTE * i / steps;
      double share = (double) arrivals * i / steps - (double) arrivals * (i - 1) / steps;
      if (share > 0) {
        line.add(new Group(now, share));
        waiting += share;
      }
      serve(now);
    }
    at = from + MINUTE;
  }

  /** The end of the past: what still waits waits until then. */
  public Result end(Instant end) {
    quiet(Micros.of(end));
    if (!line.isEmpty()) {
      longestWait = Math.max(longestWait, Micros.of(end) - line.peek().since);
    }
    return new Result(
        Math.round(heldBack),
        Duration.ofMillis(longestWait / Micros.MILLI),
        quotaHits,
        Math.round(waiting));
  }

  /** Minutes without arrivals, in which the line gets shorter. */
  private void quiet(long until) {
    while (waiting > 0 && at < until) {
      double perStep = Math.max(1, Math.min(burst, Math.max(rate, 1)));
      int steps =
          (int) Math.clamp(Math.ceil(Math.min(waiting, rate * 60) / perStep), 1, MOST_STEPS);
      for (int i = 1; i <= steps && waiting > 0; i++) {
        serve(at + MINUTE * i / steps);
      }
      at += MINUTE;
    }
    at = Math.max(at, until);
  }

  private void serve(long now) {
    bucket = bucket.accrue(now, notBefore);
    openQuota(now);
    double go = Math.min(waiting, Math.max(0, bucket.tokens()));
    if (quota != null && use != null) {
      double left = use.left(quota) - counting;
      if (left < go) {
        go = Math.max(0, left);
        quotaHits += spent ? 0 : 1;
        spent = true;
        notBefore = Math.max(notBefore, Micros.of(use.resumeAt()));
      }
      counting += go;
      long whole = (long) counting;
      use = use.take(whole);
      counting -= whole;
    }
    bucket = new Bucket(bucket.tokens() - go, bucket.at(), bucket.rate(), bucket.cap());
    waiting = Math.max(0, waiting - go);
    while (go > 0 && !line.isEmpty()) {
      Group first = line.peek();
      double gone = Math.min(go, first.count);
      longestWait = Math.max(longestWait, now - first.since);
      first.count -= gone;
      go -= gone;
      if (first.count <= HAIR) {
        line.poll();
      }
    }
    countHeldBack(now);
  }

  private void countHeldBack(long now) {
    for (Group group : line) {
      if (!group.counted && now - group.since >= Micros.SECOND) {
        group.counted = true;
        heldBack += group.count;
      } else if (now - group.since < Micros.SECOND) {
        return; // those behind it came later still
      }
    }
  }

  private void openQuota(long now) {
    if (quota == null) {
      return;
    }
    Instant instant = Micros.toInstant(now);
    if (use == null || use.isOver(instant)) {
      bucket = spent ? bucket.emptied() : bucket;
      use = QuotaUse.fresh(quota, 0, HALF_JITTER, instant);
      spent = false;
      counting = 0;
    }
  }
}
