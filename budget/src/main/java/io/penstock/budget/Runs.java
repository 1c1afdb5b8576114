package io.penstock.budget;

/**
 * Runs of answers that hold a destination for an operator. A run counts outcomes of its class since
 * the last delivered one; others neither count nor reset.
 *
 * @param rejected answers of class rejected
 * @param rejectedSince when the first of them came, epoch microseconds
 * @param unauthorised answers of class unauthorised
 */
record Runs(int rejected, long rejectedSince, int unauthorised) {
  static final Runs NONE = new Runs(0, 0, 0);

  /** A bad deploy at the receiver, and not a few bad events: that many over that long. */
  private static final int REJECTED_HOLDS = 20;

  private static final long REJECTED_SPAN = 5 * Micros.SECOND;

  /** A credential is wrong for all or for none; a few answers tell. */
  private static final int UNAUTHORISED_HOLDS = 5;

  Runs oneRejected(long now) {
    return new Runs(rejected + 1, rejected == 0 ? now : rejectedSince, unauthorised);
  }

  Runs oneUnauthorised() {
    return new Runs(rejected, rejectedSince, unauthorised + 1);
  }

  boolean rejectedHolds(long now) {
    return rejected >= REJECTED_HOLDS && now - rejectedSince >= REJECTED_SPAN;
  }

  boolean unauthorisedHolds() {
    return unauthorised >= UNAUTHORISED_HOLDS;
  }

  Runs shifted(long by) {
    return rejected == 0 ? this : new Runs(rejected, rejectedSince + by, unauthorised);
  }

  void write(StateWriter out) {
    out.field(rejected).field(rejectedSince).field(unauthorised);
  }

  static Runs read(StateReader in) {
    return new Runs(in.small(), in.integer(), in.small());
  }
}
