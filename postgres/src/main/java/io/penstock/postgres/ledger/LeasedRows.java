package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.EventContent;
import io.penstock.postgres.Bind;
import io.penstock.postgres.EventIds;
import io.penstock.postgres.Headers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Reads leased deliveries with their events. */
final class LeasedRows {
  private LeasedRows() {}

  static Leased read(int shard, ResultSet row) throws SQLException {
    UUID eventId = row.getObject("event_id", UUID.class);
    return new Leased(
        new DeliveryKey(shard, row.getString("destination_id"), eventId),
        row.getString("tenant_id"),
        row.getLong("position"),
        Lane.ofCode(row.getInt("lane")),
        Urgency.ofCode(row.getInt("urgency")),
        row.getInt("attempt"),
        Bind.instant(row, "not_before"),
        Bind.instant(row, "age_from"),
        row.getLong("lease_no"),
        Bind.instant(row, "lease_until"),
        row.getInt("redrive_count"),
        row.getInt("size"),
        content(eventId, row));
  }

  /** An event that is gone shows as one without type, headers and body. */
  private static EventContent content(UUID eventId, ResultSet row) throws SQLException {
    String type = row.getString("type");
    if (type == null) {
      return new EventContent("", "", List.of(), eventId.toString(), EventIds.time(eventId), null);
    }
    String key = row.getString("idempotency_key");
    return new EventContent(
        type,
        row.getString("content_type"),
        Headers.parse(row.getString("headers")),
        key == null ? eventId.toString() : key,
        EventIds.time(eventId),
        row.getBytes("body"),
        row.getString("item"));
  }
}
