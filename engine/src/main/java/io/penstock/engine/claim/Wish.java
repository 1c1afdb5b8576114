package io.penstock.engine.claim;

import io.penstock.budget.Decision;
import io.penstock.engine.ledger.ClaimRules.Grant;
import java.time.Duration;

/**
 * What a destination's budget would let go in one claim, and how much of it the node has room for.
 */
final class Wish {
  final String destinationId;
  final Decision.Admit admit;

  /** Whether something of its budget is in flight already. */
  final boolean busy;

  private final Duration lease;
  int granted;

  Wish(String destinationId, Decision.Admit admit, Duration lease, boolean busy) {
    this.destinationId = destinationId;
    this.admit = admit;
    this.lease = lease;
    this.busy = busy;
  }

  int wants() {
    return admit.most() - granted;
  }

  Grant grant() {
    return new Grant(
        destinationId,
        granted,
        Math.min(granted, admit.mostRetries()),
        Math.min(granted, admit.mostBatch()),
        lease);
  }
}
