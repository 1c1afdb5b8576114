package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.read.NumberSearch.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.NullArgument;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Lists and shows the shelf. Safe for use by many threads. */
public final class ShelfReads {
  private static final String PAGE = Sql.of(ShelfReads.class, "shelf.sql");
  private static final String ONE = Sql.of(ShelfReads.class, "dead_letter.sql");

  /** Records that a page looks at, per shard and tenant, when its conditions have no index. */
  private static final int LOOKED_AT = 4_000;

  /** Records that it looks at first, as a multiple of what it shows. */
  private static final int FEW_TIMES = 4;

  private final Pool pool;

  public ShelfReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * Dead letters newest first, before {@code before} (null = from the newest). Of a sparse filter a
   * page may be short and still have a next one.
   *
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<DeadLetterView, Long> page(ShelfFilter filter, @Nullable Long before, int limit) {
    Page.check(limit);
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          // The three ways of asking are three plans.
          handle.execute("set local plan_cache_mode = force_custom_plan");
          int[] shards = shards(filter);
          long highest = highest(handle, shards);
          Instant since = Objects.requireNonNullElse(filter.since(), Instant.EPOCH);
          Instant until = Objects.requireNonNullElse(filter.until(), Bind.LATEST);
          long from = NumberSearch.notBelow(since, highest, number -> next(handle, shards, number));
          long to = NumberSearch.above(until, highest, number -> next(handle, shards, number));
          long upTo = before == null ? to : Math.min(before, to);
          Page<DeadLetterView, Long> found =
              ask(handle, filter, new Range(from, upTo, since, until), few(filter, limit), limit);
          // Most pages are full with the first few records; only sparse ones look at many.
          return found.items().size() == limit || !found.hasMore()
              ? found
              : ask(
                  handle, filter, new Range(from, upTo, since, until), scan(filter, limit), limit);
        });
  }

  /** Between which numbers and times. */
  private record Range(long from, long before, Instant since, Instant until) {}

  private Page<DeadLetterView, Long> ask(
      Handle handle, ShelfFilter filter, Range range, int scan, int limit) {
    return bind(handle.createQuery(PAGE), filter)
        .bind("shards", Bind.ints(shards(filter)))
        .bind("since", Bind.time(range.since()))
        .bind("until", Bind.time(range.until()))
        .bind("from", range.from())
        .bind("before", range.before())
        .bind("scan", scan)
        .bind("limit", limit + 1)
        .execute((executed, context) -> read(executed.get().getResultSet(), limit));
  }

  private static int few(ShelfFilter filter, int limit) {
    return Math.min(scan(filter, limit), FEW_TIMES * (limit + 1));
  }

  private static Query bind(Query query, ShelfFilter filter) {
    Reason reason = filter.reason();
    Boolean onShelf = filter.onShelf();
    return query
        .bind("by", by(filter))
        .bind("tenants", Reads.anyOf(filter.tenantIds()))
        .bind("destination", filter.destinationId())
        .bind("outcome", filter.outcome())
        .bind("reason", reason == null ? null : reason.word())
        .bind(
            "status",
            filter.status() == null ? new NullArgument(Types.INTEGER) : Bind.whole(filter.status()))
        .bind("type", filter.eventType())
        .bind("departed", onShelf == null ? new NullArgument(Types.BOOLEAN) : Bind.truth(!onShelf));
  }

  private static String by(ShelfFilter filter) {
    if (filter.destinationId() != null) {
      return "destination";
    }
    return filter.tenantIds().isEmpty() ? "all" : "tenants";
  }

  private static int scan(ShelfFilter filter, int limit) {
    // Many tenants share the work of one page.
    int parts = filter.destinationId() == null ? Math.max(1, filter.tenantIds().size()) : 1;
    return Math.max(limit + 1, LOOKED_AT / parts);
  }

  private int[] shards(ShelfFilter filter) {
    String destination = filter.destinationId();
    return destination == null
        ? IntStream.range(0, pool.shards()).toArray()
        : new int[] {Shard.of(destination, pool.shards())};
  }

  private static long highest(Handle handle, int[] shards) {
    return handle
        .createQuery(
            """
            select coalesce(max(l.dead_letter_no), 0)
            from unnest(cast(:shards as int[])) as s(shard)
            cross join lateral (
              select dead_letter_no from penstock.dead_letter
              where shard = s.shard
              order by dead_letter_no desc
              limit 1) l
            """)
        .bind("shards", Bind.ints(shards))
        .mapTo(Long.class)
        .one();
  }

  private static Optional<Place> next(Handle handle, int[] shards, long number) {
    return handle
        .createQuery(
            """
            select l.dead_letter_no, l.last_seen
            from unnest(cast(:shards as int[])) as s(shard)
            cross join lateral (
              select dead_letter_no, last_seen from penstock.dead_letter
              where shard = s.shard and dead_letter_no >= :number
              order by dead_letter_no
              limit 1) l
            order by l.dead_letter_no
            limit 1
            """)
        .bind("shards", Bind.ints(shards))
        .bind("number", number)
        .map((row, context) ->
            new Place(row.getLong("dead_letter_no"), Bind.instant(row, "last_seen")))
        .findOne();
  }

  private static Page<DeadLetterView, Long> read(ResultSet rows, int limit) throws SQLException {
    List<DeadLetterView> found = new ArrayList<>();
    Long floor = null;
    while (rows.next()) {
      floor = rows.getObject("floor", Long.class);
      if (rows.getString("destination_id") != null) {
        found.add(view(rows));
      }
    }
    Page<DeadLetterView, Long> page = Page.of(found, limit, DeadLetterView::deadLetterNo);
    return page.hasMore() ? page : new Page<>(page.items(), floor);
  }

  /** One dead letter with what became of its payload; empty when the shelf has it no more. */
  public Optional<DeadLetterDetail> find(long deadLetterNo) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          return handle
              .createQuery(ONE)
              .bind("shards", Bind.ints(IntStream.range(0, pool.shards()).toArray()))
              .bind("number", deadLetterNo)
              .map((row, context) ->
                  new DeadLetterDetail(
                      view(row),
                      row.getBoolean("payload_kept"),
                      row.getObject("payload_size", Integer.class)))
              .findOne();
        });
  }

  private static DeadLetterView view(ResultSet row) throws SQLException {
    byte[] hash = row.getBytes("event_hash");
    return new DeadLetterView(
        row.getLong("dead_letter_no"),
        new DeliveryKey(
            row.getInt("shard"),
            row.getString("destination_id"),
            row.getObject("event_id", UUID.class)),
        row.getString("tenant_id"),
        row.getString("event_type"),
        Reason.ofWord(row.getString("reason")),
        row.getString("outcome"),
        row.getInt("last_status"),
        row.getBytes("response_head"),
        row.getInt("attempts"),
        Bind.instant(row, "first_seen"),
        Bind.instant(row, "last_seen"),
        hash == null ? null : HexFormat.of().formatHex(hash),
        !row.getBoolean("departed"));
  }
}
