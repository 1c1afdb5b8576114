package io.penstock.postgres.outbox;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox that became no event. What it says of tenant, type and destinations is the
 * application's and need not exist.
 *
 * @param size bytes of its payload
 * @param reason a stable code: see {@link io.penstock.engine.outbox.OutboxRefusal.Reason}
 */
public record RefusedRow(
    long number,
    Instant enqueuedAt,
    Instant refusedAt,
    String tenantId,
    String type,
    int size,
    @Nullable String idempotencyKey,
    List<String> destinationIds,
    String reason,
    String detail) {}
