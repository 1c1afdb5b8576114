package io.penstock.engine.redrive;

import java.time.Instant;

/** The rule of a redrive, asked under its lock. Pure. */
public interface RedriveRule {

  /** The new state, and what to do. */
  record Ruled(RedriveProgress progress, RedriveDecision decision) {}

  Ruled decide(RedriveSettings settings, RedriveProgress progress, RedriveInput input, Instant now);

  /**
   * What a release really did.
   *
   * @param cursor everything up to this dead letter number was gone through
   * @param released put back to wait
   * @param skipped not released, with a reason
   */
  record Released(long cursor, int released, int skipped) {}

  /** The state after a release: only what was really released is paid for. */
  RedriveProgress released(RedriveProgress progress, Released done);
}
