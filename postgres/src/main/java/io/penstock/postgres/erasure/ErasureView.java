package io.penstock.postgres.erasure;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An erasure and how far it is.
 *
 * @param doneAt null = it goes on
 */
public record ErasureView(
    long erasureNo,
    String tenantId,
    String actor,
    String reason,
    Instant startedAt,
    @Nullable Instant doneAt,
    long deadLetters,
    long deliveries,
    long attempts,
    long events,
    long idempotencyKeys,
    long auditLines) {}
