package io.penstock.postgres.read;

import io.penstock.engine.event.EventContent;
import io.penstock.postgres.Bind;
import io.penstock.postgres.EventIds;
import io.penstock.postgres.Headers;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** Shows events. Safe for use by many threads. */
public final class EventReads {
  private final Pool pool;

  public EventReads(Pool pool) {
    this.pool = pool;
  }

  /** An event, with its body if asked for; empty when there is none or it is no longer kept. */
  public Optional<EventView> find(UUID eventId, boolean withBody) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          return handle
              .createQuery(
                  """
                  select event_id, max(tenant_id) as tenant_id, max(type) as type,
                    max(content_type) as content_type, max(headers) as headers,
                    max(idempotency_key) as idempotency_key, max(item) as item, max(size) as size,
                    (array_agg(body_hash))[1] as body_hash,
                    case when :withBody then (array_agg(body))[1] end as body,
                    array(
                      select distinct unnest(destination_ids) from penstock.any_event
                      where shard = any(:shards) and event_id = :event
                      order by 1) as destination_ids
                  from penstock.any_event
                  where shard = any(:shards) and event_id = :event
                  group by event_id
                  """)
              .bind("event", eventId)
              .bind("withBody", withBody)
              .bind("shards", Bind.ints(IntStream.range(0, pool.shards()).toArray()))
              .map((row, context) -> view(row))
              .findOne();
        });
  }

  private static EventView view(ResultSet row) throws SQLException {
    UUID eventId = row.getObject("event_id", UUID.class);
    String key = row.getString("idempotency_key");
    return new EventView(
        eventId,
        row.getString("tenant_id"),
        new EventContent(
            row.getString("type"),
            row.getString("content_type"),
            Headers.parse(row.getString("headers")),
            key == null ? eventId.toString() : key,
            EventIds.time(eventId),
            row.getBytes("body"),
            row.getString("item")),
        row.getInt("size"),
        HexFormat.of().formatHex(row.getBytes("body_hash")),
        Bind.strings(row.getArray("destination_ids")));
  }
}
