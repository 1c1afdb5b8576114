package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.postgres.Bind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** Reads deliveries from rows of {@code penstock.any_delivery} with their shown state. */
final class DeliveryRows {
  private DeliveryRows() {}

  static DeliveryView read(ResultSet row) throws SQLException {
    String reason = row.getString("reason");
    return new DeliveryView(
        new DeliveryKey(
            row.getInt("shard"),
            row.getString("destination_id"),
            row.getObject("event_id", UUID.class)),
        row.getString("tenant_id"),
        DeliveryState.ofWord(row.getString("state")),
        ShownState.ofWord(row.getString("shown")),
        Lane.ofCode(row.getInt("lane")),
        Urgency.ofCode(row.getInt("urgency")),
        row.getInt("attempt"),
        Bind.instant(row, "not_before"),
        Bind.instant(row, "age_from"),
        Bind.instantOrNull(row, "lease_until"),
        row.getString("leased_by"),
        row.getInt("last_status"),
        reason == null ? null : Reason.ofWord(reason),
        row.getInt("redrive_count"),
        row.getInt("size"),
        Bind.instantOrNull(row, "done_at"));
  }
}
