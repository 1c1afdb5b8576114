package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads from which the schedule and the recovery follow. None of them locks anything. */
final class Walks {
  private static final String WALK = Sql.of(Walks.class, "walk.sql");
  private static final String HEADS = Sql.of(Walks.class, "heads.sql");
  private static final String EXPIRED = Sql.of(Walks.class, "expired_leases.sql");

  private final Pool pool;

  Walks(Pool pool) {
    this.pool = pool;
  }

  List<WalkEntry> walk(int shard, @Nullable String after, int most) {
    return pool.transaction(
        Use.LOOP,
        handle -> {
          HotPath.enter(handle);
          return handle
              .createQuery(WALK)
              .bind("shard", shard)
              .bind("after", after == null ? "" : after)
              .bind("most", most)
              .map((row, context) -> entry(row))
              .list();
        });
  }

  List<WalkEntry> heads(int shard, Collection<String> destinationIds) {
    return pool.transaction(
        Use.LOOP,
        handle -> {
          HotPath.enter(handle);
          return handle
              .createQuery(HEADS)
              .bind("shard", shard)
              .bind("destinations", Bind.texts(destinationIds))
              .map((row, context) -> entry(row))
              .list();
        });
  }

  private static WalkEntry entry(ResultSet row) throws SQLException {
    return new WalkEntry(
        row.getString("destination_id"),
        Bind.instant(row, "not_before"),
        Bind.instant(row, "age_from"));
  }

  List<Leased> expiredLeases(int shard, int most) {
    return pool.transaction(
        Use.LOOP,
        handle -> {
          HotPath.enter(handle);
          return handle
              .createQuery(EXPIRED)
              .bind("shard", shard)
              .bind("now", Bind.time(pool.now(handle)))
              .bind("most", most)
              .bind("inlineBytes", Claims.INLINE_BYTES)
              .map((row, context) -> LeasedRows.read(shard, row))
              .list();
        });
  }

  Optional<byte[]> body(int shard, UUID eventId) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select body from penstock.event where shard = :shard and event_id = :event
                    union all
                    select body from penstock.event_kept where shard = :shard and event_id = :event
                    limit 1
                    """)
                .bind("shard", shard)
                .bind("event", eventId)
                .mapTo(byte[].class)
                .findOne());
  }
}
