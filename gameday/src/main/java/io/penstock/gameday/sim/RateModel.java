package io.penstock.gameday.sim;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.quota.QuotaSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The auditor's own token bucket for one destination: the most that any reading of the rules could
 * allow. It knows nothing of pins, cuts and parks, which only allow less, and takes the widest
 * settings of the last moments, because a claim reads them some time before it commits.
 */
final class RateModel {
  /** Longer than any claim lasts before the ledger ends it. */
  private static final long MOMENTS_NANOS = 6_000_000_000L;

  private static final Duration CLOCK_STEP = Duration.ofSeconds(1);
  private static final double ROUNDING = 1e-3;

  private final Deque<InForce> settings = new ArrayDeque<>();
  private double tokens;
  private @Nullable Instant at;
  private long accruedAt;
  private Instant quotaFrom = Instant.MIN;
  private long quotaUsed;

  private record InForce(BudgetSettings settings, long since) {}

  void settingsAre(BudgetSettings now, long nanos) {
    settings.addLast(new InForce(now, nanos));
  }

  /** The widest slots in force lately. */
  int slots(long nanos) {
    forget(nanos);
    return settings.stream().mapToInt(one -> one.settings().slots()).max().orElse(0);
  }

  /** The budget is made, or anything is booked on it: it accrues up to now. */
  void touched(Instant now, long nanos) {
    accrue(now, nanos);
  }

  /** Debits; negative when that was more than the bucket could hold. */
  double debit(int count, Instant now, long nanos) {
    accrue(now, nanos);
    tokens -= count;
    return tokens + ROUNDING;
  }

  /**
   * Counts towards the quota; by how many that is more than it allows. A clock that steps back over
   * a boundary stays in the newer window.
   */
  long beyondQuota(int count, Instant now, long nanos) {
    forget(nanos);
    long limit = 0;
    for (InForce one : settings) {
      QuotaSettings quota = one.settings().quota();
      if (quota == null) {
        return 0;
      }
      Instant start = quota.windowAt(now).start();
      if (start.isAfter(quotaFrom)) {
        quotaFrom = start;
        quotaUsed = 0;
      }
      limit = Math.max(limit, quota.limit());
    }
    quotaUsed += count;
    return quotaUsed - limit;
  }

  /** Whether a quota in force lately keeps a share for interactive work. */
  boolean keepsForInteractive(long nanos) {
    forget(nanos);
    return settings.stream()
        .map(one -> one.settings().quota())
        .anyMatch(quota -> quota != null && quota.reserveInteractive() > 0);
  }

  /** Gives back one that was not sent. */
  void giveBack(Instant now, long nanos) {
    quotaUsed = Math.max(0, quotaUsed - 1);
    accrue(now, nanos);
    tokens = Math.min(burst(), tokens + 1);
  }

  private void accrue(Instant now, long nanos) {
    forget(nanos);
    if (at == null) {
      at = now;
      tokens = Math.max(1, 0.05 * rate());
      return;
    }
    double seconds = Duration.between(at, now).toNanos() * 1e-9;
    tokens = Math.min(burst(), tokens + Math.max(0, seconds) * rate());
    if (now.isAfter(at) || now.isBefore(at.minus(CLOCK_STEP))) {
      at = now;
    }
    accruedAt = nanos;
  }

  private double rate() {
    return settings.stream().mapToDouble(one -> one.settings().ratePerSecond()).max().orElse(0);
  }

  private double burst() {
    return settings.stream().mapToDouble(one -> one.settings().burst()).max().orElse(0);
  }

  /** All but those that were in force lately, or since the last accrual: the old rate counts. */
  private void forget(long nanos) {
    while (settings.size() > 1) {
      InForce first = settings.removeFirst();
      InForce second = settings.getFirst();
      if (second.since() > Math.min(accruedAt, nanos - MOMENTS_NANOS)) {
        settings.addFirst(first);
        return;
      }
    }
  }
}
