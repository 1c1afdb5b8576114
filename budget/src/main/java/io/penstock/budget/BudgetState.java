package io.penstock.budget;

import io.penstock.budget.quota.QuotaUse;
import io.penstock.budget.work.WorkBalance;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of one destination's budget: one immutable value with a version, stored as one text in
 * one column. Its parts are the budget module's own; everyone else passes it on.
 */
public final class BudgetState {
  final long seed;
  final long generation;
  final int inFlight;
  final Bucket bucket;
  final Pin pin;
  final AdaptiveRate rate;
  final Failures failures;
  final Park park;
  final RetryAllowance retries;
  final Runs runs;
  final @Nullable QuotaUse quota;
  final @Nullable WorkBalance work;
  final @Nullable RefuseReason closed;

  BudgetState(
      long seed,
      long generation,
      int inFlight,
      Bucket bucket,
      Pin pin,
      AdaptiveRate rate,
      Failures failures,
      Park park,
      RetryAllowance retries,
      Runs runs,
      @Nullable QuotaUse quota,
      @Nullable WorkBalance work,
      @Nullable RefuseReason closed) {
    this.seed = seed;
    this.generation = generation;
    this.inFlight = inFlight;
    this.bucket = bucket;
    this.pin = pin;
    this.rate = rate;
    this.failures = failures;
    this.park = park;
    this.retries = retries;
    this.runs = runs;
    this.quota = quota;
    this.work = work;
    this.closed = closed;
  }

  /** A new budget at {@code now}; {@code seed} feeds its jitter, so that a replay is exact. */
  public static BudgetState initial(BudgetSettings settings, long seed, Instant now) {
    Bucket bucket = Bucket.starting(settings.ratePerSecond(), settings.burst(), Micros.of(now));
    return new BudgetState(
        seed,
        0,
        0,
        bucket,
        Pin.NONE,
        new AdaptiveRate(),
        Failures.NONE,
        Park.NONE,
        RetryAllowance.UNUSED,
        Runs.NONE,
        null,
        null,
        null);
  }

  /**
   * Reads what {@link #encode} wrote, of this or any earlier version.
   *
   * @throws IllegalArgumentException if the text is not such a state
   */
  public static BudgetState decode(String text) {
    return StateCodec.decode(text);
  }

  /** One line of printable ASCII, beginning with the version. */
  public String encode() {
    return StateCodec.encode(this);
  }

  /** How many are leased and not yet fed back. */
  public int inFlight() {
    return inFlight;
  }

  /** Raised by every cut, park, unpark, closing and reopening. */
  public long generation() {
    return generation;
  }

  /** The rate in force now, per second. */
  public double ratePerSecond(BudgetSettings settings) {
    return rate.under(settings.ratePerSecond());
  }

  /** Where the receiver's limit was last found, per second; {@code null} while it is unknown. */
  public @Nullable Double knee() {
    return rate.knee.known() ? rate.knee.rate() : null;
  }

  /** Failures in a row up to now; while parked, those that parked it and keep it parked. */
  public int failures() {
    return park.parked() ? park.failures() : failures.count();
  }

  /** Whether the budget has closed itself and knocks with probes. */
  public boolean parked() {
    return park.parked();
  }

  /** Why nothing goes until somebody acts; {@code null} while the budget is open. */
  public @Nullable RefuseReason closed() {
    return closed;
  }

  /** What of a calendar quota is used; {@code null} when there is none. */
  public @Nullable QuotaUse quota() {
    return quota;
  }

  /** The account of worker-seconds; {@code null} for all but metered tubes. */
  public @Nullable WorkBalance work() {
    return work;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BudgetState that && encode().equals(that.encode());
  }

  @Override
  public int hashCode() {
    return encode().hashCode();
  }

  @Override
  public String toString() {
    return encode();
  }
}
