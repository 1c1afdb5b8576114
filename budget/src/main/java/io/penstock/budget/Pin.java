package io.penstock.budget;

/**
 * A time before which no token accrues, because the receiver said (or implied by its 429) when to
 * come back.
 *
 * @param until epoch microseconds; 0 when there never was one
 * @param misses refusals in a row, which lengthen the wait of answers without a hint
 * @param byHint whether the time came from the answer
 */
record Pin(long until, int misses, boolean byHint) {
  static final Pin NONE = new Pin(0, 0, false);

  /** The wait after a first refusal that carries no hint; doubled with every further one. */
  private static final long FIRST = 50 * Micros.MILLI;

  /** The longest wait of our own making: a knock per second harms nobody. */
  private static final long LONGEST = Micros.SECOND;

  /** Spread of our own waits, each side. */
  private static final double SPREAD = 0.25;

  /** The least and the relative jitter on top of a hint, so that no herd comes back at once. */
  private static final long HINT_JITTER = 250 * Micros.MILLI;

  private static final double HINT_JITTER_SHARE = 0.1;

  boolean holds(long now) {
    return now < until;
  }

  /** After a refusal at {@code now}. An answer that comes while pinned counts as the same miss. */
  Pin refused(Hint hint, long now, Chance chance) {
    if (holds(now)) {
      return hinted(hint, now, chance);
    }
    long own = Math.min(LONGEST, FIRST << Math.min(misses, 10));
    Pin mine = new Pin(now + chance.around(own, SPREAD), misses + 1, false);
    return mine.hinted(hint, now, chance);
  }

  /** Delays by what the answer said, if that is later; never shortens. */
  Pin hinted(Hint hint, long now, Chance chance) {
    if (hint.stayAway() == null) {
      return this;
    }
    long away = Micros.of(hint.stayAway());
    double jitter = Math.max(HINT_JITTER, HINT_JITTER_SHARE * away) * chance.uniform();
    long hinted = now + away + (long) Math.ceil(jitter);
    return hinted > until ? new Pin(hinted, misses, true) : this;
  }

  /** A pin that only waits, for faults of our own side. */
  Pin atLeastUntil(long time) {
    return time > until ? new Pin(time, misses, false) : this;
  }

  Pin accepted() {
    return misses == 0 ? this : new Pin(until, 0, byHint);
  }

  Pin shifted(long by) {
    return until == 0 ? this : new Pin(until + by, misses, byHint);
  }

  void write(StateWriter out) {
    out.field(until).field(misses).field(byHint);
  }

  static Pin read(StateReader in) {
    return new Pin(in.integer(), in.small(), in.flag());
  }
}
