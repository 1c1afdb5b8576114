package io.penstock.postgres.read;

import org.jspecify.annotations.Nullable;

/**
 * One dead letter, and where its payload is: the event of its delivery.
 *
 * @param payloadKept whether the event is still there
 * @param payloadBytes its size; null when it is gone
 */
public record DeadLetterDetail(
    DeadLetterView letter, boolean payloadKept, @Nullable Integer payloadBytes) {}
