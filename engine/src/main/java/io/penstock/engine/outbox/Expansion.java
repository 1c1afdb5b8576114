package io.penstock.engine.outbox;

import io.penstock.engine.ledger.Acceptance;
import java.util.List;

/**
 * What one transaction made of some rows.
 *
 * @param answers what the ledger answered to the events that were made of them
 * @param refused rows that were moved to the refused ones
 * @param deferred rows that were put off
 */
public record Expansion(List<Acceptance> answers, List<OutboxRefusal> refused, int deferred) {
  /** Other nodes were at all of the rows, or they are gone. */
  public static final Expansion NOTHING = new Expansion(List.of(), List.of(), 0);
}
