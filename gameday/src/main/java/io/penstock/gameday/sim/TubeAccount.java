package io.penstock.gameday.sim;

import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.limits.TubeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The auditor's own account of one tube, in worker-seconds: what was held, what that costs, and the
 * most that any reading of the limits could allow. Limits count as the widest of the last moments,
 * because a claim reads them some time before it commits.
 */
final class TubeAccount {
  /** Sums of doubles against sums of nanoseconds. */
  static final double HAIR = 1e-3;

  /** Longer than any claim lasts before the ledger ends it. */
  private static final long MOMENTS_NANOS = 6_000_000_000L;

  /** As many must have ended well before several run at once. */
  private static final int KNOWN_AFTER = 3;

  private final Deque<InForce> limits = new ArrayDeque<>();
  private double mostAllotment;
  private double mostCapacity;
  private double charged;
  private double used;
  private double longest;
  private double passed;
  private @Nullable Instant at;
  int completed;

  private record InForce(TubeLimits limits, long since) {}

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  void limitsAre(TubeLimits now, long nanos) {
    limits.addLast(new InForce(now, nanos));
    var work = now.work();
    if (work != null) {
      mostAllotment = Math.max(mostAllotment, work.allotment());
      mostCapacity = Math.max(mostCapacity, seconds(work.capacity()));
    }
  }

  boolean metered() {
    return limits.getLast().limits().allotment() != null;
  }

  /** Whether worker-time of this lease is charged. */
  boolean charges(HeldJob job) {
    return metered() && !job.lent();
  }

  void leased(HeldJob job) {
    if (charges(job)) {
      charged += seconds(job.charged());
      ran(job.charged());
    }
  }

  void renewed(HeldJob before, HeldJob after) {
    if (charges(after)) {
      charged += seconds(after.charged()) - seconds(before.charged());
    }
  }

  void ended(HeldJob job, boolean probe, Duration took) {
    if (charges(job)) {
      charged += seconds(took) - seconds(job.charged());
      used += probe ? 0 : seconds(took);
      ran(took);
    }
  }

  /** One took at least so long. */
  void ran(Duration howLong) {
    longest = Math.max(longest, seconds(howLong));
  }

  /** The ledger's clock as the account sees it: a step back mints nothing. */
  void passed(Instant now) {
    if (at != null && now.isAfter(at)) {
      passed += seconds(Duration.between(at, now));
    }
    at = now;
  }

  double charged() {
    return charged;
  }

  /** Without what runs still, and without the probes of a parked tube. */
  double used() {
    return used;
  }

  /** The most that may be used with so many running. */
  double bound(long running) {
    return mostAllotment * passed + mostCapacity + running * longest + HAIR;
  }

  int mostRunning(long nanos) {
    while (limits.size() > 1) {
      InForce first = limits.removeFirst();
      if (limits.getFirst().since() > nanos - MOMENTS_NANOS) {
        limits.addFirst(first);
        break;
      }
    }
    if (completed < KNOWN_AFTER) {
      return 1;
    }
    return limits.stream()
        .mapToInt(one -> Objects.requireNonNull(one.limits().work()).mostRunning())
        .max()
        .orElse(0);
  }
}
