package io.penstock.server.shelf;

import io.penstock.postgres.read.DeadLetterView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as the API shows it.
 *
 * @param outcome class of the last outcome; null when nothing was tried
 * @param lastStatus HTTP status of the last attempt; null = none had one
 * @param responseHead the first bytes of the last answer as text; null for callers that may not see
 *     it
 * @param firstSeen since when its age counted
 * @param lastSeen when it came to the shelf
 * @param onShelf whether it lies there still; false = it was released since
 * @param payload where its bytes are
 */
record DeadLetterBody(
    long number,
    String destinationId,
    UUID eventId,
    String tenantId,
    @Nullable String type,
    String reason,
    @Nullable String outcome,
    @Nullable Integer lastStatus,
    @Nullable String responseHead,
    int attempts,
    Instant firstSeen,
    Instant lastSeen,
    @Nullable String eventSha256,
    boolean onShelf,
    String payload) {

  /**
   * @param inside whether the caller runs the installation: tenants do not see what receivers
   *     answered, so that no URL of theirs becomes a window into the network
   */
  static DeadLetterBody of(DeadLetterView view, boolean inside) {
    return new DeadLetterBody(
        view.deadLetterNo(),
        view.key().destinationId(),
        view.key().eventId(),
        view.tenantId(),
        view.eventType(),
        view.reason().word(),
        view.outcome(),
        view.lastStatus() == 0 ? null : view.lastStatus(),
        inside ? new String(view.responseHead(), StandardCharsets.UTF_8) : null,
        view.attempts(),
        view.firstSeen(),
        view.lastSeen(),
        view.eventSha256(),
        view.onShelf(),
        "/v1/events/%s/payload".formatted(view.key().eventId()));
  }
}
