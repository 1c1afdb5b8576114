package io.penstock.budget;

/**
 * Where the receiver's limit was last found, and how long to stay just below it before looking
 * again.
 *
 * @param rate requests per second; 0 = unknown
 * @param setAt when it was last set
 * @param accepted fresh successes since then
 * @param hold how long to hold once it is reached again, microseconds
 * @param heldSince when the rate came within 3 % of it after the last cut; 0 = not yet
 * @param holdUntil the end of the hold, jittered
 */
record Knee(double rate, long setAt, long accepted, long hold, long heldSince, long holdUntil) {
  static final Knee UNKNOWN = new Knee(0, 0, 0, 0, 0, 0);

  /** The first hold, doubled each time that it is survived. */
  static final long SHORTEST_HOLD = 2 * Micros.SECOND;

  static final long LONGEST_HOLD = 20 * Micros.SECOND;

  /** Fewer successes than this since the last one tell nothing new about the limit. */
  private static final int MIN_EVIDENCE = 10;

  /** A wall that is longer comes from a window of more than a second. */
  static final long LONG_WALL = 1_200 * Micros.MILLI;

  /** How many times a long wall to hold after it. */
  private static final int HOLD_PER_WALL = 3;

  /** A knee that moved by less was the same limit. */
  private static final double SAME = 0.1;

  /** What a cut before the end of a hold says: a little too high. */
  private static final double BEFORE_HOLD_ENDED = 0.99;

  boolean known() {
    return rate > 0;
  }

  /** Whether the rate has come back to it since the last cut. */
  boolean reached() {
    return heldSince > 0;
  }

  /** Learns from a cut at {@code cutRate}. */
  Knee cut(double cutRate, Recent recent, long lastWall, long now) {
    if (known() && accepted < MIN_EVIDENCE) {
      return new Knee(rate, setAt, accepted, hold, 0, 0);
    }
    boolean early = known() && (!reached() || now < holdUntil);
    double found = found(cutRate, recent, lastWall, now) * (early ? BEFORE_HOLD_ENDED : 1);
    boolean same = known() && Math.abs(found / rate - 1) <= SAME;
    long next = !same ? SHORTEST_HOLD : early ? hold : Math.min(LONGEST_HOLD, 2 * hold);
    if (lastWall > LONG_WALL) {
      next = Math.max(next, HOLD_PER_WALL * lastWall);
    }
    return new Knee(found, now, 0, next, 0, 0);
  }

  private double found(double cutRate, Recent recent, long lastWall, long now) {
    if (known() && lastWall > LONG_WALL && now - setAt > 2 * Micros.SECOND) {
      return Math.min(cutRate, 1.10 * accepted / Micros.toSeconds(now - setAt));
    }
    double tolerated = Math.max(2, 0.05 * recent.acceptedInLastSecond(now));
    if (recent.refusedInLastSecond(now) <= tolerated) {
      return cutRate;
    }
    return Math.min(cutRate, 1.05 * recent.acceptedPerSecond(now));
  }

  Knee oneAccepted() {
    return known() ? new Knee(rate, setAt, accepted + 1, hold, heldSince, holdUntil) : this;
  }

  Knee heldFrom(long now, Chance chance) {
    return new Knee(rate, setAt, accepted, hold, now, now + chance.around(hold, 0.2));
  }

  /** After a destination was parked again soon: half as much, and wait for long. */
  Knee distrusted(long atLeast) {
    return known() ? new Knee(rate / 2, setAt, accepted, Math.max(hold, atLeast), 0, 0) : this;
  }

  Knee shifted(long by) {
    return known()
        ? new Knee(
            rate,
            setAt + by,
            accepted,
            hold,
            reached() ? heldSince + by : 0,
            reached() ? holdUntil + by : 0)
        : this;
  }

  void write(StateWriter out) {
    out.field(rate).field(setAt).field(accepted).field(hold).field(heldSince).field(holdUntil);
  }

  static Knee read(StateReader in) {
    return new Knee(
        in.decimal(), in.integer(), in.integer(), in.integer(), in.integer(), in.integer());
  }
}
