package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One delivery as a list shows it.
 *
 * @param state what the ledger says
 * @param shown what people see: the gate's state when it waits behind a closed one
 * @param attempts attempts spent so far
 * @param notBefore when it may go at the earliest
 * @param leaseUntil until when a node works on it; null when none does
 * @param lastStatus HTTP status of the last attempt that had one; 0 = none had
 * @param reason why it ended without success; null otherwise
 * @param endedAt when it was delivered, died or was cancelled; null while it waits
 */
public record DeliveryView(
    DeliveryKey key,
    String tenantId,
    DeliveryState state,
    ShownState shown,
    Lane lane,
    Urgency urgency,
    int attempts,
    Instant notBefore,
    Instant ageFrom,
    @Nullable Instant leaseUntil,
    @Nullable String leasedBy,
    int lastStatus,
    @Nullable Reason reason,
    int redriveCount,
    int size,
    @Nullable Instant endedAt) {}
