package io.penstock.testkit.rows;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Reason;
import java.time.Instant;

/**
 * One arrival on the shelf.
 *
 * @param attempts attempts spent when it died
 * @param when the ledger's time of the transaction that ended the delivery
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed
public record DeadLetterSeen(
    DeliveryKey key,
    String tenantId,
    Reason reason,
    int lastStatus,
    byte[] responseHead,
    int attempts,
    Instant when) {}
