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
 * @param lastStatus HTTP status of the last attempt that had one; 0 = none had
 * @param firstSeen since when its age counted
 * @param eventSha256 of the body, lower-case hex; null when the event was gone already
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record DeadLetterView(
    long deadLetterNo,
    DeliveryKey key,
    String tenantId,
    Reason reason,
    @Nullable String outcome,
    int lastStatus,
    byte[] responseHead,
    int attempts,
    Instant firstSeen,
    Instant lastSeen,
    @Nullable String eventSha256) {}
