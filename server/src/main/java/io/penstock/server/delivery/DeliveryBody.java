package io.penstock.server.delivery;

import io.penstock.postgres.read.DeliveryView;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as the API shows it.
 *
 * @param state the effective one: {@code paused} behind a pause, although the row says pending
 * @param leasedUntil until when a node works on it; null when none does
 * @param lastStatus HTTP status of the last attempt that had one; null = none had
 * @param reason why it ended without success
 */
public record DeliveryBody(
    String destinationId,
    UUID eventId,
    String tenantId,
    String state,
    String lane,
    String urgency,
    int attempts,
    Instant notBefore,
    Instant ageFrom,
    @Nullable Instant leasedUntil,
    @Nullable String leasedBy,
    @Nullable Integer lastStatus,
    @Nullable String reason,
    int redrives,
    int size,
    @Nullable Instant endedAt) {

  static DeliveryBody of(DeliveryView view) {
    return new DeliveryBody(
        view.key().destinationId(),
        view.key().eventId(),
        view.tenantId(),
        view.shown().word(),
        view.lane().name().toLowerCase(Locale.ROOT),
        view.urgency().name().toLowerCase(Locale.ROOT),
        view.attempts(),
        view.notBefore(),
        view.ageFrom(),
        view.leaseUntil(),
        view.leasedBy(),
        view.lastStatus() == 0 ? null : view.lastStatus(),
        view.reason() == null ? null : view.reason().word(),
        view.redriveCount(),
        view.size(),
        view.endedAt());
  }
}
