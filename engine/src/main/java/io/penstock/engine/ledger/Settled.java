package io.penstock.engine.ledger;

import io.penstock.engine.delivery.Move;
import java.time.Instant;
import java.util.List;

/**
 * What a settle did.
 *
 * @param applied what was booked, with its move
 * @param stale what came too late: somebody else had ended the lease
 */
public record Settled(Instant now, List<Applied> applied, List<Settlement> stale) {

  /** A settlement that was booked. */
  public record Applied(Settlement settlement, Move move) {}
}
