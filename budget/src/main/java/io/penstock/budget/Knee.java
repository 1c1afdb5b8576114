package io.penstock.budget;

/**
 * Where the receiver's limit was last found, and how long to stay just below it before looking
 * again.
 *
 * @param rate requests per second; 0 = unknown
 * @param setAt when it was last set
 * @param accepted fresh successes since then
 * @param hold how long to hold once it is reached again, microseconds
 * @param heldSince when the rate came within 2 % of it after the last cut; 0 = not yet
 * @param holdUntil the end of the hold, jittered
 * @param earlyCuts cuts in a row before the end of a hold
 * @param patience how much slower to look for more, where answers come late; at least 1
 */
record Knee(
    double rate,
    long setAt,
    long accepted,
    long hold,
    long heldSince,
    long holdUntil,
    int earlyCuts,
    double patience) {
  static final Knee UNKNOWN = new Knee(0, 0, 0, 0, 0, 0, 0, 1);

  /** The first hold, doubled each time that it is survived. */
  private static final long SHORTEST_HOLD = 2 * Micros.SECOND;

  private static final long LONGEST_HOLD = 18 * Micros.SECOND;

  /** The jitter of a hold, each side. */
  private static final double HOLD_SPREAD = 0.2;

  /** Fewer successes than this since the last one tell nothing new about the limit. */
  private static final int MIN_EVIDENCE = 10;

  /** Slow destinations: a second's worth, and two at the very least. */
  private static final int LEAST_EVIDENCE = 2;

  /** How many times a long wall to hold after it. */
  private static final int HOLD_PER_WALL = 3;

  /** Looking for more slows down with the length of the walls, one for so many seconds. */
  private static final double WALL_PER_PATIENCE = 3;

  /** A knee that moved by less was the same limit. */
  private static final double SAME = 0.25;

  /** A refusal always says: a little too high. */
  private static final double A_LITTLE = 0.01;

  /** Of that little, for cuts in a row. */
  private static final int MAX_DOUBLINGS = 4;

  /** One cut never lowers the knee by more. */
  private static final double MUCH_LESS = 0.3;

  /** One measurement never lowers the knee by more: a wall with a hole in it looks like a limit. */
  private static final double LEAST_MEASURED = 0.05;

  boolean known() {
    return rate > 0;
  }

  /** Whether the rate has come back to it since the last cut. */
  boolean reached() {
    return heldSince > 0;
  }

  /** Whether enough was accepted since it was set for a refusal to say something new. */
  boolean hasEvidence() {
    return !known() || accepted >= Math.min(MIN_EVIDENCE, Math.max(LEAST_EVIDENCE, rate));
  }

  /** Whether a cut now comes before the end of the hold. */
  boolean early(long now) {
    return known() && (!reached() || now < holdUntil);
  }

  /** A cut that says nothing new: walk back to the same knee and hold there again. */
  Knee again() {
    return new Knee(rate, setAt, accepted, hold, 0, 0, earlyCuts, patience);
  }

  /**
   * A cut before the end of a hold: the knee is too high by what did not get through of what was
   * offered since the last cut, and by more each time in a row.
   */
  Knee lowered(double acceptedShare, long now) {
    double less = 1 - A_LITTLE * (1 << Math.min(earlyCuts, MAX_DOUBLINGS));
    double newRate = rate * Math.clamp(acceptedShare, MUCH_LESS, less);
    return new Knee(newRate, now, 0, same(newRate) ? hold : SHORTEST_HOLD, 0, 0, earlyCuts + 1, 1);
  }

  /** A cut at {@code cutRate} while the rate was looking for more, or with no knee known. */
  Knee found(double cutRate, long now) {
    if (same(cutRate)) {
      // The old knee was survived and this rate was not: the limit lies between them, and a
      // refusal costs more than a little patience.
      double between = rate + (cutRate - rate) * 0.25;
      return new Knee(between, now, 0, Math.min(LONGEST_HOLD, 2 * hold), 0, 0, 0, 1);
    }
    return new Knee(cutRate * (1 - A_LITTLE), now, 0, SHORTEST_HOLD, 0, 0, 1, 1);
  }

  private boolean same(double other) {
    return known() && Math.abs(other / rate - 1) <= SAME;
  }

  /** The knee of a limit with long windows, measured over a whole one. */
  Knee measured(double perSecond, long wall, long now) {
    double slower = Math.max(1, Micros.toSeconds(wall) / WALL_PER_PATIENCE);
    double bounded = Math.max(perSecond, rate * LEAST_MEASURED);
    return new Knee(bounded, now, 0, HOLD_PER_WALL * wall, 0, 0, 0, slower);
  }

  Knee oneAccepted() {
    return known()
        ? new Knee(rate, setAt, accepted + 1, hold, heldSince, holdUntil, earlyCuts, patience)
        : this;
  }

  Knee heldFrom(long now, Chance chance) {
    long until = now + chance.around(hold, HOLD_SPREAD);
    return new Knee(rate, setAt, accepted, hold, now, until, earlyCuts, patience);
  }

  /** After a destination was parked again soon: half as much, and wait for long. */
  Knee distrusted(long atLeast) {
    return known()
        ? new Knee(rate / 2, setAt, accepted, Math.max(hold, atLeast), 0, 0, earlyCuts, patience)
        : this;
  }

  Knee shifted(long by) {
    return new Knee(
        rate,
        setAt + by,
        accepted,
        hold,
        reached() ? heldSince + by : 0,
        reached() ? holdUntil + by : 0,
        earlyCuts,
        patience);
  }

  void write(StateWriter out) {
    out.field(rate).field(setAt).field(accepted).field(hold);
    out.field(heldSince).field(holdUntil).field(earlyCuts).field(patience);
  }

  static Knee read(StateReader in) {
    return new Knee(
        in.decimal(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.small(),
        in.decimal());
  }
}
