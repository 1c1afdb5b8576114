package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.ledger.Acceptance.Fanned;
import org.jspecify.annotations.Nullable;

/**
 * One delivery that an event becomes.
 *
 * @param dead why it is born dead; null = it waits
 */
record Fan(String destinationId, int shard, @Nullable Reason dead) {

  Fan bornDead(Reason reason) {
    return new Fan(destinationId, shard, reason);
  }

  Fanned answer() {
    return new Fanned(
        destinationId, dead == null ? DeliveryState.PENDING : DeliveryState.DEAD, dead);
  }
}
