package io.penstock.budget;

/**
 * A token bucket at a moment: the tokens (fractions kept), when that was, and the rate and cap that
 * hold from then on.
 */
record Bucket(double tokens, long at, double rate, double cap) {

  /** A clock that is further behind than this has been set back: believe it and mint nothing. */
  static final long CLOCK_STEP = Micros.SECOND;

  /** What a new bucket holds, in seconds of its rate: no double first window. */
  private static final double START_SECONDS = 0.05;

  /**
   * Tokens come from divisions, and a wait is rounded to whole microseconds: a sum of fractions may
   * end a hair below the whole token that was promised.
   */
  private static final double HAIR = 1e-6;

  static Bucket starting(double rate, double cap, long now) {
    return new Bucket(Math.min(cap, Math.max(1, START_SECONDS * rate)), now, rate, cap);
  }

  /**
   * Brings the balance up to {@code now}; nothing accrues before {@code notBefore} (a pin). A small
   * step back of the clock mints nothing, a large one is believed, and neither a long idle time nor
   * a leap forward can overflow.
   */
  Bucket accrue(long now, long notBefore) {
    if (now <= at) {
      return at - now > CLOCK_STEP ? new Bucket(tokens, now, rate, cap) : this;
    }
    long elapsed = now - Math.max(at, Math.min(notBefore, now));
    double seconds = Math.min(Micros.toSeconds(elapsed), rate > 0 ? cap / rate + 1 : 0);
    return new Bucket(Math.min(cap, tokens + seconds * rate), now, rate, cap);
  }

  /** Another rate or cap from now on: tokens and debt are kept, what exceeds the cap is lost. */
  Bucket limitedTo(double newRate, double newCap) {
    return newRate == rate && newCap == cap
        ? this
        : new Bucket(Math.min(tokens, newCap), at, newRate, newCap);
  }

  Bucket emptied() {
    return new Bucket(Math.min(tokens, 0), at, rate, cap);
  }

  Bucket take(int count) {
    return new Bucket(tokens - count, at, rate, cap);
  }

  Bucket giveBack(int count) {
    return new Bucket(Math.min(cap, tokens + count), at, rate, cap);
  }

  int whole() {
    return (int) Math.max(0, Math.floor(tokens + HAIR));
  }

  /** The earliest time at which {@code wanted} tokens will be there; the rate must not be 0. */
  long readyAt(double wanted, long notBefore) {
    return Math.max(at, notBefore) + Micros.ofSeconds(Math.max(0, wanted - tokens) / rate);
  }

  void write(StateWriter out) {
    out.field(tokens).field(at).field(rate).field(cap);
  }

  static Bucket read(StateReader in) {
    return new Bucket(in.decimal(), in.integer(), in.decimal(), in.decimal());
  }
}
