package io.penstock.testkit.rows;

import io.penstock.engine.delivery.DeliveryKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An attempt as the ledger kept it; {@code leaseNo} tells a delivery's attempts apart. */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed
public record AttemptSeen(
    DeliveryKey key,
    long leaseNo,
    Instant startedAt,
    long durationMicros,
    String outcome,
    String detail,
    int status,
    byte[] responseHead,
    @Nullable String resolvedAddress,
    String node) {}
