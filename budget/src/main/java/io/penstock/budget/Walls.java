package io.penstock.budget;

/**
 * What long walls tell. A wall lasts from a first refusal to the next success; one of several
 * seconds is the rest of a window of a limit like "600 per minute", and from the end of one wall to
 * the end of the next exactly that limit is accepted, however unevenly.
 *
 * @param since the first refusal since the last fresh success; 0 = no wall now
 * @param lastRefusal the latest refusal of this wall or of the last one
 * @param length how long the last long wall took, microseconds; 0 = there was none
 * @param ended when that was over
 * @param cycleStart the end of the wall before, or the first success of all
 * @param accepted successes since then
 * @param measured accepted per second over the last cycle; 0 = not yet, or used
 */
record Walls(
    long since,
    long lastRefusal,
    long length,
    long ended,
    long cycleStart,
    long accepted,
    double measured) {
  static final Walls NONE = new Walls(0, 0, 0, 0, 0, 0, 0);

  /** Shorter ones come from windows of a second, with a Retry-After of one perhaps. */
  private static final long SHORTEST = 2 * Micros.SECOND;

  /** Longer ones are an outage or a ban, and no window of a limit. */
  private static final long LONGEST = 65 * Micros.SECOND;

  Walls oneRefused(long now) {
    return new Walls(since == 0 ? now : since, now, length, ended, cycleStart, accepted, measured);
  }

  Walls oneAccepted(boolean fresh, long now) {
    long start = cycleStart == 0 ? now : cycleStart;
    if (!fresh || since == 0) {
      return new Walls(since, lastRefusal, length, ended, start, accepted + 1, measured);
    }
    // The window ended somewhere between the last refusal and this success.
    long end = lastRefusal + (now - lastRefusal) / 2;
    long took = end - since;
    if (took < SHORTEST || end - start < length) {
      return new Walls(0, lastRefusal, length, ended, start, accepted + 1, measured);
    }
    if (took > LONGEST) {
      return new Walls(0, lastRefusal, 0, end, end, 1, 0);
    }
    double perSecond = accepted / Micros.toSeconds(end - start);
    return new Walls(0, lastRefusal, took, end, end, 1, perSecond);
  }

  /** Whether what was measured is news for the knee. */
  boolean news(long now) {
    return measured > 0 && now - ended < 2 * length;
  }

  /** Whether refusals now may be the echo of the last burst in a sliding window. */
  boolean echo(long now) {
    return length > 0 && now - ended < 2 * length;
  }

  Walls used() {
    return new Walls(since, lastRefusal, length, ended, cycleStart, accepted, 0);
  }

  Walls shifted(long by) {
    return new Walls(
        since == 0 ? 0 : since + by,
        lastRefusal + by,
        length,
        ended + by,
        cycleStart == 0 ? 0 : cycleStart + by,
        accepted,
        measured);
  }

  void write(StateWriter out) {
    out.field(since).field(lastRefusal).field(length).field(ended);
    out.field(cycleStart).field(accepted).field(measured);
  }

  static Walls read(StateReader in) {
    return new Walls(
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.integer(),
        in.decimal());
  }
}
