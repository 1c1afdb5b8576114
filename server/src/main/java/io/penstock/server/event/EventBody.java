package io.penstock.server.event;

import io.penstock.engine.event.Header;
import io.penstock.postgres.read.EventView;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event as the API shows it, without its payload. */
record EventBody(
    UUID eventId,
    String tenantId,
    String type,
    String contentType,
    List<Header> headers,
    String idempotencyKey,
    Instant acceptedAt,
    int size,
    String sha256,
    List<String> destinations,
    @Nullable String item) {

  static EventBody of(EventView view) {
    return new EventBody(
        view.eventId(),
        view.tenantId(),
        view.content().type(),
        view.content().contentType(),
        view.content().headers(),
        view.content().idempotencyKey(),
        view.content().acceptedAt(),
        view.size(),
        view.sha256(),
        view.destinationIds(),
        view.content().item());
  }
}
