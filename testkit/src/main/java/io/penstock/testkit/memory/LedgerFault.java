package io.penstock.testkit.memory;

/**
 * Faults that can be planted in a {@link MemoryLedger}, to prove that the contract suite and the
 * simulator would find them.
 */
public enum LedgerFault {
  /** The claim leases what its pick saw, whatever became of the row meanwhile. */
  CLAIM_WITHOUT_RECHECK,
  /** The settle guards on the state alone. */
  SETTLE_WITHOUT_LEASE_NO,
  /** A settlement that came too late is fed to the budget all the same. */
  FEED_STALE,
  /** Expiry does not ask the gates. */
  EXPIRE_BEHIND_GATE
}
