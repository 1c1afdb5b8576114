package io.penstock.postgres.read;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a delivery.
 *
 * @param leaseNo ascending over the life of the delivery
 * @param outcome the outcome class, lower case
 * @param detail the cause within the class
 * @param status HTTP status, 0 = no answer
 * @param responseHead the first bytes of the answer, at most 4 KiB
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record AttemptView(
    long leaseNo,
    Instant startedAt,
    Duration took,
    String outcome,
    String detail,
    int status,
    byte[] responseHead,
    @Nullable String resolvedAddress,
    String node) {}
