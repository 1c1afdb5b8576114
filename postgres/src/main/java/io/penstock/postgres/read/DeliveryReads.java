package io.penstock.postgres.read;

import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Lists and shows deliveries, waiting and ended ones alike. Safe for use by many threads. */
public final class DeliveryReads {
  private static final String OF_DESTINATIONS =
      Sql.of(DeliveryReads.class, "deliveries_of_destinations.sql");
  private static final String OF_EVENTS = Sql.of(DeliveryReads.class, "deliveries_of_events.sql");
  private static final String ONE = Sql.of(DeliveryReads.class, "delivery.sql");

  /** Rows that a page with a condition on the state looks at, per destination or shard. */
  private static final int LOOKED_AT = 2_000;

  /** Above every event id. */
  private static final DeliveryCursor NEWEST = new DeliveryCursor(new UUID(-1, -1), "");

  private final Pool pool;

  public DeliveryReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * Deliveries newest event first, after {@code before} (null = from the newest).
   *
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<DeliveryView, DeliveryCursor> page(
      DeliveryFilter filter, @Nullable DeliveryCursor before, int limit) {
    Page.check(limit);
    DeliveryCursor from = before == null ? NEWEST : before;
    boolean byEvent =
        filter.eventId() != null
            || (filter.destinationId() == null && filter.tenantIds().isEmpty());
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          Query query = byEvent ? ofEvents(handle, filter) : ofDestinations(handle, filter);
          return read(bind(query, filter, from, limit), limit);
        });
  }

  private Query ofDestinations(Handle handle, DeliveryFilter filter) {
    String id = filter.destinationId();
    return handle
        .createQuery(OF_DESTINATIONS)
        .bind("destination", id)
        .bind("shard", id == null ? 0 : Shard.of(id, pool.shards()));
  }

  private Query ofEvents(Handle handle, DeliveryFilter filter) {
    return handle
        .createQuery(OF_EVENTS)
        .bindByType("event", filter.eventId(), UUID.class)
        .bind("shards", Bind.ints(IntStream.range(0, pool.shards()).toArray()));
  }

  private static Query bind(Query query, DeliveryFilter filter, DeliveryCursor before, int limit) {
    ShownState state = filter.state();
    return query
        .bind("tenants", Reads.anyOf(filter.tenantIds()))
        .bind("state", state == null ? null : state.word())
        .bind("beforeEvent", before.eventId())
        .bind("beforeDestination", before.destinationId())
        .bind("scan", state == null ? limit + 1 : Math.max(limit + 1, LOOKED_AT))
        .bind("limit", limit + 1);
  }

  private static Page<DeliveryView, DeliveryCursor> read(Query query, int limit) {
    return query.execute((executed, context) -> {
      ResultSet rows = executed.get().getResultSet();
      List<DeliveryView> items = new ArrayList<>();
      UUID floor = null;
      while (rows.next()) {
        floor = rows.getObject("floor", UUID.class);
        if (rows.getString("destination_id") != null) {
          items.add(DeliveryRows.read(rows));
        }
      }
      return page(items, floor, limit);
    });
  }

  private static Page<DeliveryView, DeliveryCursor> page(
      List<DeliveryView> items, @Nullable UUID floor, int limit) {
    if (items.size() > limit) {
      List<DeliveryView> full = List.copyOf(items.subList(0, limit));
      DeliveryView last = full.getLast();
      return new Page<>(full, new DeliveryCursor(last.key().eventId(), last.key().destinationId()));
    }
    return new Page<>(List.copyOf(items), floor == null ? null : new DeliveryCursor(floor, ""));
  }

  /** One delivery with its attempts; empty when there is none or it is no longer kept. */
  public Optional<DeliveryDetail> find(String destinationId, UUID eventId) {
    int shard = Shard.of(destinationId, pool.shards());
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          return find(handle, shard, destinationId, eventId)
              .map(one -> new DeliveryDetail(one, attempts(handle, shard, destinationId, eventId)));
        });
  }

  static Optional<DeliveryView> find(Handle handle, int shard, String destinationId, UUID eventId) {
    return handle
        .createQuery(ONE)
        .bind("shard", shard)
        .bind("destination", destinationId)
        .bind("event", eventId)
        .map((row, context) -> DeliveryRows.read(row))
        .findOne();
  }

  private static List<AttemptView> attempts(
      Handle handle, int shard, String destinationId, UUID eventId) {
    return handle
        .createQuery(
            """
            select lease_no, started_at, duration_us, outcome, detail, status, response_head,
              resolved, node
            from penstock.attempt
            where shard = :shard and destination_id = :destination and event_id = :event
            order by lease_no
            limit :most
            """)
        .bind("shard", shard)
        .bind("destination", destinationId)
        .bind("event", eventId)
        .bind("most", Page.MOST_ITEMS)
        .map((row, context) -> attempt(row))
        .list();
  }

  private static AttemptView attempt(ResultSet row) throws SQLException {
    return new AttemptView(
        row.getLong("lease_no"),
        Bind.instant(row, "started_at"),
        Duration.ofNanos(row.getLong("duration_us") * 1000),
        row.getString("outcome"),
        row.getString("detail"),
        row.getInt("status"),
        row.getBytes("response_head"),
        row.getString("resolved"),
        row.getString("node"));
  }

  /** How many wait for a destination now, up to {@code most}: then at least so many. */
  public long waiting(String destinationId, int most) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select count(*) from (
                      select from penstock.delivery
                      where shard = :shard and destination_id = :destination
                        and state in ('pending', 'retrying')
                      limit :most) counted
                    """)
                .bind("shard", Shard.of(destinationId, pool.shards()))
                .bind("destination", destinationId)
                .bind("most", most)
                .mapTo(Long.class)
                .one());
  }
}
