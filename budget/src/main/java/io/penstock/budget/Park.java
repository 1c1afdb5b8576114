package io.penstock.budget;

/**
 * A budget that has closed itself and knocks with one leased probe at a time; and what is
 * remembered of the last time.
 *
 * @param since when it was parked, epoch microseconds; 0 = not parked
 * @param nextProbe when the next probe may go
 * @param probeUntil until when the leased probe is waited for; 0 = none is out
 * @param gap the time between the last two probes, microseconds
 * @param failures answers that kept it parked, those that parked it included
 * @param lastEnded when the last park ended; 0 = there was none
 * @param lastLength how long that one took, microseconds
 */
record Park(
    long since,
    long nextProbe,
    long probeUntil,
    long gap,
    int failures,
    long lastEnded,
    long lastLength) {
  static final Park NONE = new Park(0, 0, 0, 0, 0, 0, 0);

  /** How much longer than the time-out a probe is waited for. */
  private static final long PROBE_GRACE = 5 * Micros.SECOND;

  /** Gaps are stretched by up to this, so that many destinations do not knock in step. */
  private static final double GAP_SPREAD = 0.2;

  /** Parked again so soon is the same trouble. */
  private static final long RELAPSE_WITHIN = 60 * Micros.SECOND;

  boolean parked() {
    return since != 0;
  }

  boolean probeOut(long now) {
    return now < probeUntil;
  }

  /** The time before which no probe goes. */
  long waitsUntil() {
    return Math.max(nextProbe, probeUntil);
  }

  boolean relapsed(long now) {
    return lastEnded != 0 && now - lastEnded <= Math.max(RELAPSE_WITHIN, 2 * lastLength);
  }

  Park begin(long firstGap, int failuresSoFar, long notBefore, long now, Chance chance) {
    long next = Math.max(notBefore, now + stretched(firstGap, chance));
    return new Park(now, next, 0, firstGap, failuresSoFar, lastEnded, lastLength);
  }

  Park probeLeased(long timeout, long now) {
    return new Park(
        since, nextProbe, now + timeout + PROBE_GRACE, gap, failures, lastEnded, lastLength);
  }

  /** The probe went nowhere and says nothing: another may go. */
  Park probeReturned() {
    return new Park(since, nextProbe, 0, gap, failures, lastEnded, lastLength);
  }

  Park probeFailed(long longestGap, long notBefore, long now, Chance chance) {
    long longer = Math.min(longestGap, 2 * gap);
    long next = Math.max(notBefore, now + stretched(longer, chance));
    return new Park(since, next, 0, longer, failures + 1, lastEnded, lastLength);
  }

  Park end(long now) {
    return new Park(0, 0, 0, 0, 0, now, now - since);
  }

  private static long stretched(long gap, Chance chance) {
    return (long) Math.ceil(gap * (1 + GAP_SPREAD * chance.uniform()));
  }

  Park shifted(long by) {
    return new Park(
        parked() ? since + by : 0,
        parked() ? nextProbe + by : 0,
        probeUntil == 0 ? 0 : probeUntil + by,
        gap,
        failures,
        lastEnded == 0 ? 0 : lastEnded + by,
        lastLength);
  }

  void write(StateWriter out) {
    out.field(since)
        .field(nextProbe)
        .field(probeUntil)
        .field(gap)
        .field(failures)
        .field(lastEnded)
        .field(lastLength);
  }

  static Park read(StateReader in) {
    return new Park(
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.small(),
        in.integer(),
        in.integer());
  }
}
