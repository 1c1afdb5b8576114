package io.penstock.postgres.shelf;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.shelf.GroupKey;
import io.penstock.engine.shelf.Phrase;
import io.penstock.postgres.Bind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/** What counting needs of a dead letter. */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
record Letter(
    int shard,
    long deadLetterNo,
    String destinationId,
    UUID eventId,
    String tenantId,
    long leaseNo,
    Reason reason,
    int status,
    byte[] head,
    Instant lastSeen) {

  static Letter read(ResultSet row) throws SQLException {
    return new Letter(
        row.getInt("shard"),
        row.getLong("dead_letter_no"),
        row.getString("destination_id"),
        row.getObject("event_id", UUID.class),
        row.getString("tenant_id"),
        row.getLong("lease_no"),
        Reason.ofWord(row.getString("reason")),
        row.getInt("last_status"),
        row.getBytes("head"),
        Bind.instant(row, "last_seen"));
  }

  GroupKey group() {
    return new GroupKey(shard, destinationId, tenantId, reason, status, Phrase.of(head));
  }
}
