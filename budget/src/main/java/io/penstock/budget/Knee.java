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
 * @param patience how much slower to look for more, where answers come late; at least 1
 */
record Knee(
    double rate,
    long setAt,
    long accepted,
    long hold,
    long heldSince,
    long holdUntil,
    double patience) {
  static final Knee UNKNOWN = new Knee(0, 0, 0, 0, 0, 0, 1);

  /** The first hold, doubled each time that it is survived. */
  private static final long SHORTEST_HOLD = 2 * Micros.SECOND;

  private static final long LONGEST_HOLD = 20 * Micros.SECOND;

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
  private static final double SAME = 0.1;

  /** A refusal always says: a little too high. */
  private static final double A_LITTLE_LESS = 0.99;

  /** One cut never lowers the knee by more. */
  private static final double MUCH_LESS = 0.5;

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
    return new Knee(rate, setAt, accepted, hold, 0, 0, patience);
  }

  /** A cut before the end of a hold: of what was offered since the last cut, a share got through. */
  Knee lowered(double acceptedShare, long now) {
    return moved(rate * Math.clamp(acceptedShare, MUCH_LESS, A_LITTLE_LESS), hold, now);
  }

  /** A cut at {@code cutRate} while the rate was looking for more, or with no knee known. */
  Knee found(double cutRate, long now) {
    return moved(cutRate * A_LITTLE_LESS, Math.clamp(2 * hold, SHORTEST_HOLD, LONGEST_HOLD), now);
  }

  private Knee moved(double newRate, long newHold, long now) {
    boolean same = known() && Math.abs(newRate / rate - 1) <= SAME;
    return new Knee(newRate, now, 0, same ? newHold : SHORTEST_HOLD, 0, 0, 1);
  }

  /** The knee of a limit with long windows, measured over a whole one. */
  Knee measured(double perSecond, long wall, long now) {
    double slower = Math.max(1, Micros.toSeconds(wall) / WALL_PER_PATIENCE);
    return new Knee(perSecond, now, 0, HOLD_PER_WALL * wall, 0, 0, slower);
  }

  Knee oneAccepted() {
    return known()
        ? new Knee(rate, setAt, accepted + 1, hold, heldSince, holdUntil, patience)
        : this;
  }

  Knee heldFrom(long now, Chance chance) {
    long until = now + chance.around(hold, HOLD_SPREAD);
    return new Knee(rate, setAt, accepted, hold, now, until, patience);
  }

  /** After a destination was parked again soon: half as much, and wait for long. */
  Knee distrusted(long atLeast) {
    return known()
        ? new Knee(rate / 2, setAt, accepted, Math.max(hold, atLeast), 0, 0, patience)
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
        patience);
  }

  void write(StateWriter out) {
    out.field(rate).field(setAt).field(accepted).field(hold);
    out.field(heldSince).field(holdUntil).field(patience);
  }

  static Knee read(StateReader in) {
    return new Knee(
        in.decimal(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.decimal());
  }
}
