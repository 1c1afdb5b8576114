package io.penstock.budget.work;

import java.time.Duration;
import java.time.Instant;

/**
 * A tube's account of worker-seconds: immutable, and every function takes the time. Gate and charge
 * belong to one step: what {@link #admits} allowed is charged by {@link #leased} before anybody
 * else asks.
 *
 * <p>At any time {@code balance = start + allotment × time − clipped + forgiven − charged}, which
 * the tests check.
 *
 * @param seconds the balance; negative in debt
 * @param at up to when it has accrued
 * @param estimate how long a job is expected to take
 * @param clipped allotment that was not banked because the account was full, in all
 * @param forgiven debt below the floor that was let off, in all
 * @param charged worker-seconds charged, in all
 * @param lent worker-seconds lent, counted apart and not charged, in all
 */
public record WorkBalance(
    double seconds,
    Instant at,
    Estimate estimate,
    double clipped,
    double forgiven,
    double charged,
    double lent) {

  /** A clock that is further behind than this has been set back: believe it and mint nothing. */
  private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

  /** Sums end a hair below what they should be. */
  private static final double HAIR = 1e-6;

  /** A new account, with just enough for one job. */
  public static WorkBalance initial(WorkSettings settings, Instant now) {
    Estimate estimate = new Estimate(seconds(settings.expected()), 0, 0);
    double start = Math.min(estimate.seconds(), seconds(settings.capacity()));
    return new WorkBalance(start, now, estimate, 0, 0, 0, 0);
  }

  /** Brings the balance up to {@code now}. */
  public WorkBalance accrue(WorkSettings settings, Instant now) {
    Duration passed = Duration.between(at, now);
    if (!passed.isPositive()) {
      boolean setBack = passed.negated().compareTo(CLOCK_STEP) > 0;
      return setBack ? moved(seconds, now, clipped) : this;
    }
    double earned = settings.allotment() * seconds(passed);
    double kept = Math.min(seconds(settings.capacity()), seconds + earned);
    return moved(kept, now, clipped + seconds + earned - kept);
  }

  private WorkBalance moved(double newSeconds, Instant newAt, double newClipped) {
    return new WorkBalance(newSeconds, newAt, estimate, newClipped, forgiven, charged, lent);
  }

  private double floor(WorkSettings settings) {
    return -(settings.allotment() * seconds(settings.times().debt()) + estimate.seconds());
  }

  /** What a job must find on the account; a job longer than the capacity passes on a full one. */
  public double wanted(WorkSettings settings) {
    return Math.min(estimate.seconds(), seconds(settings.capacity()));
  }

  /** How many jobs may be leased now, with {@code running} already out. */
  public int admits(WorkSettings settings, int running) {
    int free = (estimate.known() ? settings.mostRunning() : 1) - running;
    double left = seconds;
    int count = 0;
    while (count < free && left + HAIR >= wanted(settings)) {
      left -= estimate.seconds();
      count++;
    }
    return count;
  }

  /** The earliest time at which the account holds enough for one job. */
  public Instant readyAt(WorkSettings settings) {
    double missing = Math.max(0, wanted(settings) - seconds);
    return at.plusNanos((long) Math.ceil(missing / settings.allotment() * 1e9));
  }

  /** Charges the expected duration of {@code count} jobs; each lease keeps what it was charged. */
  public WorkBalance leased(WorkSettings settings, int count) {
    return charge(settings, count * estimate.seconds());
  }

  /** What one lease is charged now. */
  public Duration chargePerJob() {
    return Duration.ofNanos((long) (estimate.seconds() * 1e9));
  }

  /** Gives back what a lease was charged that nothing was done for. */
  public WorkBalance handedBack(WorkSettings settings, Duration chargedSoFar) {
    return charge(settings, -seconds(chargedSoFar));
  }

  /** A renewal: charges the time held beyond what was charged, and learns that jobs take longer. */
  public WorkBalance renewed(WorkSettings settings, Duration chargedSoFar, Duration held) {
    double beyond = Math.max(0, seconds(held) - seconds(chargedSoFar));
    return learned(estimate.outlived(seconds(held))).charge(settings, beyond);
  }

  /**
   * The end of a job, once per lease number: corrects what was charged to what it took.
   *
   * @param teaches whether it ended well; failed, cancelled and lost runs are charged only
   */
  public WorkBalance ended(
      WorkSettings settings, Duration chargedSoFar, Duration took, boolean teaches, boolean noOp) {
    WorkBalance settled = charge(settings, seconds(took) - seconds(chargedSoFar));
    return teaches ? settled.learned(taught(settings, took, noOp)) : settled;
  }

  private Estimate taught(WorkSettings settings, Duration took, boolean noOp) {
    return estimate.taught(seconds(took), noOp, seconds(settings.times().tooShort()));
  }

  private WorkBalance learned(Estimate newEstimate) {
    return new WorkBalance(seconds, at, newEstimate, clipped, forgiven, charged, lent);
  }

  private WorkBalance charge(WorkSettings settings, double amount) {
    double capacity = seconds(settings.capacity());
    double after = seconds - amount;
    double kept =
        Math.clamp(after, Math.min(seconds, floor(settings)), Math.max(seconds, capacity));
    double let = Math.max(0, kept - after);
    double lost = Math.max(0, after - kept);
    return new WorkBalance(
        kept, at, estimate, clipped + lost, forgiven + let, charged + amount, lent);
  }

  /** Whether a job may run on what nobody else uses. */
  public boolean mayBorrow(WorkSettings settings, int freeWorkers, Duration poolIdle) {
    return estimate.seconds() <= seconds(settings.times().lendable())
        && freeWorkers > 1
        && poolIdle.compareTo(settings.times().idle()) >= 0;
  }

  /** The end of a borrowed run; {@code teaches} as for {@link #ended}. */
  public WorkBalance borrowed(WorkSettings settings, Duration took, boolean teaches, boolean noOp) {
    return new WorkBalance(
        seconds,
        at,
        teaches ? taught(settings, took, noOp) : estimate,
        clipped,
        forgiven,
        charged,
        lent + seconds(took));
  }

  private static double seconds(Duration length) {
    return length.toNanos() / 1e9;
  }
}
