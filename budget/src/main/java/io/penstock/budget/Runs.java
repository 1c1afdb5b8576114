package io.penstock.budget;

import org.jspecify.annotations.Nullable;

/**
 * Runs of answers that hold or disable a destination. A run counts outcomes of its class since the
 * last delivered one; others neither count nor reset.
 *
 * @param rejected answers of class rejected
 * @param rejectedSince when the first of them came, epoch microseconds
 * @param unauthorised answers of class unauthorised
 * @param failed attempts and probes that ended transient or unknown
 * @param failedSince when the first of them ended, epoch microseconds
 */
record Runs(int rejected, long rejectedSince, int unauthorised, int failed, long failedSince) {
  static final Runs NONE = new Runs(0, 0, 0, 0, 0);

  /** A bad deploy at the receiver, and not a few bad events: that many over that long. */
  private static final int REJECTED_HOLDS = 20;

  private static final long REJECTED_SPAN = 5 * Micros.SECOND;

  /** A credential is wrong for all or for none; a few answers tell. */
  private static final int UNAUTHORISED_HOLDS = 5;

  Runs oneRejected(long now) {
    return new Runs(
        rejected + 1, rejected == 0 ? now : rejectedSince, unauthorised, failed, failedSince);
  }

  Runs oneUnauthorised() {
    return new Runs(rejected, rejectedSince, unauthorised + 1, failed, failedSince);
  }

  boolean rejectedHolds(long now) {
    return rejected >= REJECTED_HOLDS && now - rejectedSince >= REJECTED_SPAN;
  }

  boolean unauthorisedHolds() {
    return unauthorised >= UNAUTHORISED_HOLDS;
  }

  Runs oneFailed(long now) {
    return new Runs(
        rejected,
        rejectedSince,
        unauthorised,
        failed == Integer.MAX_VALUE ? failed : failed + 1,
        failed == 0 ? now : failedSince);
  }

  Runs noneFailed() {
    return failed == 0 ? this : new Runs(rejected, rejectedSince, unauthorised, 0, 0);
  }

  boolean failedDisables(@Nullable AutoDisable rule, long now) {
    return rule != null
        && failed >= rule.failures()
        && now - failedSince >= Micros.of(rule.after());
  }

  Runs shifted(long by) {
    return new Runs(
        rejected,
        rejected == 0 ? rejectedSince : rejectedSince + by,
        unauthorised,
        failed,
        failed == 0 ? failedSince : failedSince + by);
  }

  void write(StateWriter out) {
    out.field(rejected).field(rejectedSince).field(unauthorised);
    if (failed > 0) {
      out.field(failed).field(failedSince);
    }
  }

  static Runs read(StateReader in) {
    int rejected = in.small();
    long rejectedSince = in.integer();
    int unauthorised = in.small();
    boolean failures = in.moreFields(); // absent in states of earlier versions
    return new Runs(
        rejected,
        rejectedSince,
        unauthorised,
        failures ? in.small() : 0,
        failures ? in.integer() : 0);
  }
}
