package io.penstock.engine.ledger;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of one posted event. All of a call's events are committed, or none. */
public sealed interface Acceptance {

  /**
   * One delivery that the event was fanned out to; born {@code pending}, or {@code dead} with a
   * reason.
   */
  record Fanned(String destinationId, DeliveryState state, @Nullable Reason reason) {}

  /**
   * A delivery that was not made, because its item is fresh in that tube.
   *
   * @param eventId the job whose run it is
   * @param leaseNo which of its leases
   * @param completedAt when it completed
   * @param artifacts what it brought, sorted
   */
  record Suppressed(
      String destinationId,
      UUID eventId,
      long leaseNo,
      Instant completedAt,
      List<String> artifacts) {}

  /**
   * Committed with fsync. No subscription matched when {@code deliveries} is empty, and nothing is
   * suppressed.
   */
  record Stored(UUID eventId, List<Fanned> deliveries, List<Suppressed> suppressed)
      implements Acceptance {
    public Stored(UUID eventId, List<Fanned> deliveries) {
      this(eventId, deliveries, List.of());
    }
  }

  /** The same key with the same bytes came before: the first answer again. */
  record Replayed(UUID eventId, List<Fanned> deliveries, List<Suppressed> suppressed)
      implements Acceptance {
    public Replayed(UUID eventId, List<Fanned> deliveries) {
      this(eventId, deliveries, List.of());
    }
  }

  /** The same key came before with other bytes. */
  record KeyConflict(UUID firstEventId) implements Acceptance {}

  /** The tenant does not exist. */
  record UnknownTenant(String tenantId) implements Acceptance {}

  /** The tenant has no such destination. */
  record UnknownDestination(String destinationId) implements Acceptance {}

  /** Every destination of the event, or its tenant, is at its backlog bound. */
  record Full(String what, long waiting, long bound, Duration retryAfter) implements Acceptance {}
}
