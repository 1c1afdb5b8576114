package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One arrival on the shelf; never changed.
 *
 * @param deadLetterNo ascending within the shard
 * @param outcome the class of the last outcome; null when nothing was tried
 * @param firstSeen when it began to wait for the first time
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record DeadLetterView(
    long deadLetterNo,
    DeliveryKey key,
    String tenantId,
    Reason reason,
    @Nullable String outcome,
    @Nullable Integer lastStatus,
    byte[] responseHead,
    int attempts,
    Instant firstSeen,
    Instant lastSeen,
    String eventSha256) {}
