package io.penstock.testkit.memory;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Every legal move of a row, one method each. */
final class Moves {
  private Moves() {}

  /** pending or retrying → leased, under the next lease number. */
  static DeliveryRow leased(DeliveryRow row, Instant until, String node) {
    return new DeliveryRow(
        row.key(),
        row.tenantId(),
        row.position(),
        row.lane(),
        row.urgency(),
        DeliveryState.LEASED,
        row.attempt(),
        row.notBefore(),
        row.ageFrom(),
        row.leaseNo() + 1,
        until,
        node,
        row.lastStatus(),
        null,
        row.redriveCount(),
        row.size());
  }

  /** leased, until later. */
  static DeliveryRow renewed(DeliveryRow row, Instant until) {
    return new DeliveryRow(
        row.key(),
        row.tenantId(),
        row.position(),
        row.lane(),
        row.urgency(),
        row.state(),
        row.attempt(),
        row.notBefore(),
        row.ageFrom(),
        row.leaseNo(),
        until,
        row.leasedBy(),
        row.lastStatus(),
        null,
        row.redriveCount(),
        row.size());
  }

  /** leased → wherever the move says; {@code status} is the attempt's, or the row's last one. */
  static DeliveryRow settled(DeliveryRow row, Move move, int status) {
    return switch (move) {
      case Move.Deliver(int attempt) -> ended(row, DeliveryState.DELIVERED, attempt, status, null);
      case Move.Retry(int attempt, Instant notBefore) ->
          waiting(row, Lane.RETRY, attempt, notBefore, status);
      case Move.KeepPlace() -> waiting(row, row.lane(), row.attempt(), row.notBefore(), status);
      case Move.Die(int attempt, Reason reason) ->
          ended(row, DeliveryState.DEAD, attempt, status, reason);
    };
  }

  /** pending or retrying → dead. */
  static DeliveryRow dead(DeliveryRow row, Reason reason) {
    return ended(row, DeliveryState.DEAD, row.attempt(), row.lastStatus(), reason);
  }

  /** pending, retrying or leased → cancelled. */
  static DeliveryRow cancelled(DeliveryRow row) {
    return ended(row, DeliveryState.CANCELLED, row.attempt(), row.lastStatus(), Reason.CANCELLED);
  }

  /** dead or delivered → pending on the redrive lane, as if new, under the next lease number. */
  static DeliveryRow again(DeliveryRow row, Instant now) {
    return new DeliveryRow(
        row.key(),
        row.tenantId(),
        row.position(),
        Lane.REDRIVE,
        row.urgency(),
        DeliveryState.PENDING,
        0,
        now,
        now,
        row.leaseNo() + 1,
        null,
        null,
        row.lastStatus(),
        null,
        row.redriveCount() + 1,
        row.size());
  }

  private static DeliveryRow waiting(
      DeliveryRow row, Lane lane, int attempt, Instant notBefore, int status) {
    return new DeliveryRow(
        row.key(),
        row.tenantId(),
        row.position(),
        lane,
        row.urgency(),
        lane == Lane.RETRY ? DeliveryState.RETRYING : DeliveryState.PENDING,
        attempt,
        notBefore,
        row.ageFrom(),
        row.leaseNo(),
        null,
        null,
        status,
        null,
        row.redriveCount(),
        row.size());
  }

  private static DeliveryRow ended(
      DeliveryRow row, DeliveryState state, int attempt, int status, @Nullable Reason reason) {
    return new DeliveryRow(
        row.key(),
        row.tenantId(),
        row.position(),
        row.lane(),
        row.urgency(),
        state,
        attempt,
        row.notBefore(),
        row.ageFrom(),
        row.leaseNo(),
        null,
        null,
        status,
        reason,
        row.redriveCount(),
        row.size());
  }
}
