package io.penstock.engine.transport;

import io.penstock.budget.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended.
 *
 * @param took from start to end by a monotonic clock
 * @param responseHead the first bytes of the answer's body, at most 4 KiB; empty when there was
 *     none
 * @param resolvedAddress the address that was dialled; null when it did not come to that
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record AttemptResult(
    Outcome outcome, Duration took, byte[] responseHead, @Nullable String resolvedAddress) {}
