package io.penstock.engine.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One instant of a schedule that came: there is at most one for a schedule and an instant, written
 * in the transaction that takes its event.
 *
 * @param at the instant, by the schedule
 * @param firedAt when it was made, by the ledger's clock
 * @param eventId of the event that was taken, the first of several; null = none was
 * @param problem why it was refused, or some of several were; empty = none was
 */
public record Firing(
    String scheduleId, Instant at, Instant firedAt, @Nullable UUID eventId, String problem) {

  /** How long after its instant it was made. */
  public Duration late() {
    return Duration.between(at, firedAt);
  }
}
