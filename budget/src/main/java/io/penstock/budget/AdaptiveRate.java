package io.penstock.budget;

/**
 * The rate that follows the answers: additive increase, multiplicative decrease, with a remembered
 * knee. A cut halves it; then it walks back to just below the knee within half a second, holds
 * there, and looks carefully whether there is more, up to the ceiling.
 *
 * <p>A state never changes the one it holds: a {@link Step} works on its own {@link #copy}.
 */
final class AdaptiveRate {
  /** The least time between two cuts: the answers to what the last one changed must be back. */
  private static final long SHORTEST_EPOCH = Micros.SECOND;

  /** Growth acts in steps of elapsed time, and a step is never longer than this. */
  private static final long LONGEST_STEP = 250 * Micros.MILLI;

  /** While no knee is known, the rate doubles in this time. */
  private static final double DOUBLING_SECONDS = 0.5;

  /** Walk back quickly to this share of the knee. */
  private static final double NEAR = 0.98;

  /** After a hold the rate looks for more by this share of the knee per second, then faster. */
  private static final double FIRST_LOOK = 0.01;

  /** And at most by this share of the ceiling per second. */
  private static final double FASTEST_LOOK = 0.2;

  /** So few refusals in a second, or such a share, say that the rate was about right. */
  private static final int FEW = 2;

  private static final double FEW_SHARE = 0.05;

  /** What got through in two seconds may be a little less than the limit. */
  private static final double A_LITTLE_MORE = 1.05;

  /** The 95th percentile of round trips is taken for so many times their mean. */
  private static final double P95_PER_MEAN = 2;

  /** Of what accrued, so much must be spent for the rate to grow: an idle one learns nothing. */
  private static final double BUSY = 0.5;

  /** How long the rate must stay at the ceiling before the knee is forgotten. */
  private static final long FORGET_AFTER = 30 * Micros.SECOND;

  /** When so much of what was offered got through, the knee is nearly right. */
  private static final double NEARLY_ALL = 0.8;

  /** The weight of a new round trip in the mean. */
  private static final double TRIP_WEIGHT = 0.2;

  /** Infinite at the ceiling, so that a raised ceiling acts at once. */
  double perSecond = Double.POSITIVE_INFINITY;

  /** When it was last halved; 0 = never. */
  long cutAt;

  /** Up to when it has grown. */
  long grewAt;

  /** Since when it has been at the ceiling. */
  long ceilingSince;

  /** Tokens that accrued lately, decayed over a second. */
  double offered;

  /** Tokens that were debited lately, decayed over a second. */
  double spent;

  /** Mean time of successes in seconds; 0 = unknown. */
  double roundTrip;

  /** Tokens that accrued since the last cut. */
  double offeredSinceCut;

  /** Seconds since the last cut in which tokens accrued. */
  double openSinceCut;

  /** Successes since the last cut, of whatever generation. */
  long acceptedSinceCut;

  Walls walls = Walls.NONE;
  Knee knee = Knee.UNKNOWN;
  Recent recent = Recent.NONE;

  AdaptiveRate copy() {
    AdaptiveRate copy = new AdaptiveRate();
    copy.perSecond = perSecond;
    copy.cutAt = cutAt;
    copy.grewAt = grewAt;
    copy.ceilingSince = ceilingSince;
    copy.offered = offered;
    copy.spent = spent;
    copy.roundTrip = roundTrip;
    copy.offeredSinceCut = offeredSinceCut;
    copy.openSinceCut = openSinceCut;
    copy.acceptedSinceCut = acceptedSinceCut;
    copy.walls = walls;
    copy.knee = knee;
    copy.recent = recent;
    return copy;
  }

  double under(double ceiling) {
    return Math.min(perSecond, ceiling);
  }

  boolean shrunken(double ceiling) {
    return perSecond < ceiling;
  }

  /** Grows with the time that has passed; none of it counts before a pin. */
  void advance(long now, long pinnedUntil, double ceiling, Chance chance) {
    if (!shrunken(ceiling)) {
      perSecond = Double.POSITIVE_INFINITY;
      if (knee.known() && now - ceilingSince > FORGET_AFTER) {
        knee = Knee.UNKNOWN;
      }
      return;
    }
    long from = Math.max(grewAt, Math.min(pinnedUntil, now));
    long elapsed = now - from;
    grewAt = now;
    if (elapsed <= 0) {
      return;
    }
    double seconds = Micros.toSeconds(elapsed);
    double kept = Math.max(0, 1 - seconds);
    offeredSinceCut += perSecond * seconds;
    openSinceCut += seconds;
    offered = offered * kept + perSecond * Math.min(seconds, 1);
    spent *= kept;
    if (spent >= BUSY * (offered - 1)) {
      grow(Micros.toSeconds(Math.min(elapsed, LONGEST_STEP)), now, ceiling, chance);
      if (!shrunken(ceiling)) {
        perSecond = Double.POSITIVE_INFINITY;
        ceilingSince = now;
      }
    }
  }

  private void grow(double seconds, long now, double ceiling, Chance chance) {
    if (!knee.known()) {
      perSecond *= Math.pow(2, seconds / DOUBLING_SECONDS);
      return;
    }
    double near = NEAR * knee.rate();
    if (perSecond < near) {
      perSecond = Math.min(near, perSecond + knee.rate() * seconds);
      return;
    }
    if (!knee.reached()) {
      knee = knee.heldFrom(now, chance);
    }
    if (now < knee.holdUntil()) {
      double progress = (double) (now - knee.heldSince()) / (knee.holdUntil() - knee.heldSince());
      perSecond = Math.max(perSecond, knee.rate() * (NEAR + (1 - NEAR) * progress));
      return;
    }
    double past = Micros.toSeconds(now - knee.holdUntil()) / knee.patience();
    perSecond +=
        seconds * Math.min(FASTEST_LOOK * ceiling, FIRST_LOOK * knee.rate() * Math.pow(2, past));
  }

  void debited(int count) {
    spent += count;
  }

  /** A success; {@code fresh} when it was sent under the current generation. */
  void accepted(boolean fresh, double tookSeconds, long now) {
    roundTrip = roundTrip == 0 ? tookSeconds : roundTrip + TRIP_WEIGHT * (tookSeconds - roundTrip);
    recent = recent.oneAccepted(now);
    walls = walls.oneAccepted(fresh, now);
    acceptedSinceCut++;
    if (fresh) {
      knee = knee.oneAccepted();
    }
  }

  void refused(long now) {
    recent = recent.oneRefused(now);
    walls = walls.oneRefused(now);
  }

  /** Whether an answer to something sent under the current generation may cut now. */
  boolean mayCut(long now) {
    long epoch = Math.max(SHORTEST_EPOCH, Micros.ofSeconds(2 * P95_PER_MEAN * roundTrip));
    return cutAt == 0 || now - cutAt >= epoch;
  }

  void cut(double ceiling, double floor, long now) {
    double rate = under(ceiling);
    learn(rate, now);
    beginAt(Math.max(floor, Math.min(rate, knee.rate()) / 2), now);
  }

  /** After a park: slowly, towards the knee that was known before. */
  void restart(double rate, long now) {
    knee = knee.again();
    beginAt(rate, now);
  }

  private void beginAt(double rate, long now) {
    perSecond = rate;
    cutAt = now;
    grewAt = now;
    offered = 0;
    spent = 0;
    offeredSinceCut = 0;
    openSinceCut = 0;
    acceptedSinceCut = 0;
  }

  private void learn(double rate, long now) {
    if (walls.news(now)) {
      knee = knee.measured(walls.measured(), walls.length(), now);
      walls = walls.used();
    } else if (!knee.hasEvidence()) {
      knee = knee.again();
    } else if (walls.echo(now)) {
      knee = knee.again();
    } else if (knee.early(now)) {
      knee = knee.lowered(gotThrough(now), now);
    } else {
      knee = knee.found(known(rate, now), now);
    }
  }

  /** The share of the knee that got through since the last cut. */
  private double gotThrough(long now) {
    // Two more: a handful of answers proves nothing.
    double accepted = acceptedSinceCut + 2;
    double ofOffered = accepted / Math.max(1, offeredSinceCut);
    double ofOpenTime = accepted / Math.max(1, knee.rate() * openSinceCut);
    double ofAllTime = accepted / Math.max(1, knee.rate() * Micros.toSeconds(now - cutAt));
    if (knee.earlyCuts() >= 2 && ofAllTime < ofOpenTime / 2) {
      // Pinned for most of the time: the limit lies between what went through in the open part
      // and what went through over all of it.
      return Math.sqrt(ofOpenTime * ofAllTime);
    }
    return knee.earlyCuts() == 0 || ofOffered >= NEARLY_ALL ? ofOffered : ofOpenTime;
  }

  /** What the cut is about: the rate, or what really got through when far less did. */
  private double known(double rate, long now) {
    double tolerated = Math.max(FEW, FEW_SHARE * recent.acceptedInLastSecond(now));
    return recent.refusedInLastSecond(now) <= tolerated
        ? rate
        : Math.min(rate, A_LITTLE_MORE * recent.acceptedPerSecond(now));
  }

  void shift(long by) {
    cutAt = cutAt == 0 ? 0 : cutAt + by;
    grewAt += by;
    ceilingSince += by;
    walls = walls.shifted(by);
    knee = knee.shifted(by);
    recent = recent.shifted(by);
  }

  /** Whether nothing has been learned yet; knee and recent answers are parts of their own. */
  boolean isNew() {
    return grewAt == 0 && cutAt == 0 && roundTrip == 0;
  }

  void write(StateWriter out) {
    out.field(perSecond).field(cutAt).field(grewAt).field(ceilingSince).field(offered);
    out.field(spent)
        .field(roundTrip)
        .field(offeredSinceCut)
        .field(openSinceCut)
        .field(acceptedSinceCut);
  }

  void read(StateReader in) {
    perSecond = in.decimal();
    cutAt = in.integer();
    grewAt = in.integer();
    ceilingSince = in.integer();
    offered = in.decimal();
    spent = in.decimal();
    roundTrip = in.decimal();
    offeredSinceCut = in.decimal();
    openSinceCut = in.decimal();
    acceptedSinceCut = in.integer();
  }
}
