package io.penstock.gameday.sim;

import java.util.Locale;

/** Faults that can be planted, to prove that the auditor finds them. */
enum Planted {
  NONE,
  /** The claim leases what an old snapshot showed it. */
  CLAIM_WITHOUT_RECHECK,
  /** The settle guards on the state alone. */
  SETTLE_WITHOUT_LEASE_NO,
  /** A settle that comes too late releases the slot a second time. */
  SLOT_RELEASED_TWICE,
  /** Every 429 cuts the rate, whatever generation it was sent under. */
  CUT_PER_ANSWER,
  /** A pause does not call back what is claimed and unsent. */
  NO_HAND_BACK_ON_PAUSE,
  /** A throttled delivery spends an attempt and goes to the retry lane. */
  THROTTLE_COUNTS_AS_ATTEMPT,
  /** The time of a retry comes from the node's wall clock. */
  DUE_BY_NODE_CLOCK,
  /** A claim asks the destination's own gate, and not its tenant's or that of everything. */
  ONLY_OWN_GATE,
  /** A claim does not see that a destination was deleted. */
  DELETED_IS_SERVED,
  /** What is too old expires behind a closed gate too. */
  EXPIRES_BEHIND_GATE,
  /** A renewal extends a lease and charges nothing for the time held. */
  RENEWAL_IS_FREE,
  /** The end of a job is booked whatever lease number it names. */
  LATE_FINISH_IS_TAKEN,
  /** What a worker held until its lease ran out is not charged. */
  LOST_LEASE_IS_FREE,
  /** Between finding nothing due and going to sleep nobody looks once more. */
  NO_SECOND_LOOK;

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
