package io.penstock.engine.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row as an application enqueued it: nothing of it is checked but its size.
 *
 * @param text whether the payload came as text, in UTF-8 here
 * @param headers a JSON object of texts, as text
 * @param deferrals how often it was put off already
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record OutboxRow(
    long number,
    String tenantId,
    String type,
    byte[] payload,
    boolean text,
    String contentType,
    String headers,
    String urgency,
    @Nullable String idempotencyKey,
    @Nullable String operation,
    @Nullable String sourceVersion,
    List<String> destinationIds,
    int deferrals) {}
