package io.penstock.budget;

/** Why nothing may go until somebody acts. */
public enum RefuseReason {
  /** The configured rate is 0. */
  RATE_ZERO,
  /** Held: a run of rejections (a bad deploy at the receiver?). */
  HELD_REJECTED,
  /** Held: a run of 401 or 403 (a credential?). */
  HELD_UNAUTHORISED,
  /** Held: our configuration of the destination is wrong. */
  HELD_MISCONFIGURED,
  /** The receiver answered 410. */
  GONE,
  /** Disabled: it only failed, for longer and more often than its limits allow. */
  AUTO_DISABLED
}
