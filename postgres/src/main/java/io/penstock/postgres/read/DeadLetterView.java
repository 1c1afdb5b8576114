package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One arrival on the shelf; never changed.
 *
 * @param deadLetterNo ascending, unique in the installation
 * @param eventType null when the event was gone already
 * @param outcome the class of the last outcome; null when nothing was tried
 * @param lastStatus HTTP status of the last attempt that had one; 0 = none had
 * @param firstSeen since when its age counted
 * @param lastSeen when it came to the shelf
 * @param eventSha256 of the body, lower-case hex; null when the event was gone already
 * @param onShelf whether it lies there still; false = it was released since
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record DeadLetterView(
    long deadLetterNo,
    DeliveryKey key,
    String tenantId,
    @Nullable String eventType,
    Reason reason,
    @Nullable String outcome,
    int lastStatus,
    byte[] responseHead,
    int attempts,
    Instant firstSeen,
    Instant lastSeen,
    @Nullable String eventSha256,
    boolean onShelf) {}
