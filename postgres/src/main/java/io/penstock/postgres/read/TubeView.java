package io.penstock.postgres.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tube as it stands.
 *
 * @param running jobs that workers hold
 * @param waiting jobs that wait, counted up to {@link #WAITING_BOUND}
 * @param oldest since when the first in line waits; null = nothing waits
 * @param counts null = no run has ended yet
 */
public record TubeView(
    Instant now,
    DestinationView destination,
    int running,
    int waiting,
    @Nullable Instant oldest,
    @Nullable Counts counts) {

  /** How far what waits is counted: a list has many tubes. */
  public static final int WAITING_BOUND = 1_000;

  /**
   * What its runs came to.
   *
   * @param emptyRuns completions without yield since the last one with some
   */
  public record Counts(
      long completed,
      long failed,
      long lost,
      long released,
      double workedSeconds,
      long yielded,
      long emptyRuns,
      Instant lastRun,
      @Nullable Instant lastSuccess,
      @Nullable Instant lastYield) {}

  /** A job that a worker holds. */
  public record Running(
      String worker,
      @Nullable String poolId,
      Instant heldFrom,
      Instant leaseUntil,
      double chargedSeconds,
      boolean lent) {}

  /** A lease that ended, as its attempt tells. */
  public record Ended(String outcome, String detail, Instant startedAt, String worker) {}
}
