package io.penstock.testkit.rows;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as it stands in a ledger, waiting, leased or finished.
 *
 * @param leaseNo only ever rises, through finishing and redriving too
 * @param leaseUntil null unless it is leased
 * @param leasedBy null unless it is leased
 * @param lastStatus HTTP status of the last attempt that had one, or 0
 * @param reason null unless it ended without success
 */
public record DeliveryRow(
    DeliveryKey key,
    String tenantId,
    long position,
    Lane lane,
    Urgency urgency,
    DeliveryState state,
    int attempt,
    Instant notBefore,
    Instant ageFrom,
    long leaseNo,
    @Nullable Instant leaseUntil,
    @Nullable String leasedBy,
    int lastStatus,
    @Nullable Reason reason,
    int redriveCount,
    int size) {

  /** Whether a claim may pick it. */
  public boolean waits() {
    return state == DeliveryState.PENDING || state == DeliveryState.RETRYING;
  }

  /** Whether it is a row of the hot table. */
  public boolean hot() {
    return waits() || state == DeliveryState.LEASED;
  }
}
