package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Reason;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists the shelf. Safe for use by many threads. */
public final class ShelfReads {
  private static final String PAGE = Sql.of(ShelfReads.class, "shelf.sql");

  /** Records that a page with conditions looks at. */
  private static final int LOOKED_AT = 5_000;

  private final Pool pool;

  public ShelfReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * Dead letters newest first, before {@code before} (null = from the newest).
   *
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<DeadLetterView, Long> page(Filter filter, @Nullable Long before, int limit) {
    Page.check(limit);
    Reason reason = filter.reason();
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          return handle
              .createQuery(PAGE)
              .bind("tenants", Reads.anyOf(filter.tenantIds()))
              .bind("destination", filter.destinationId())
              .bind("reason", reason == null ? null : reason.word())
              .bind("before", before == null ? Long.MAX_VALUE : before)
              .bind("scan", Math.max(limit + 1, LOOKED_AT))
              .bind("limit", limit + 1)
              .execute((executed, context) -> read(executed.get().getResultSet(), limit));
        });
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

  private static DeadLetterView view(ResultSet row) throws SQLException {
    byte[] hash = row.getBytes("event_hash");
    return new DeadLetterView(
        row.getLong("dead_letter_no"),
        new DeliveryKey(
            row.getInt("shard"),
            row.getString("destination_id"),
            row.getObject("event_id", UUID.class)),
        row.getString("tenant_id"),
        Reason.ofWord(row.getString("reason")),
        row.getString("outcome"),
        row.getInt("last_status"),
        row.getBytes("response_head"),
        row.getInt("attempts"),
        Bind.instant(row, "first_seen"),
        Bind.instant(row, "last_seen"),
        hash == null ? null : HexFormat.of().formatHex(hash));
  }

  /** Which dead letters; {@code tenantIds} empty = of all tenants, null = any. */
  public record Filter(
      Set<String> tenantIds, @Nullable String destinationId, @Nullable Reason reason) {
    public static final Filter ALL = new Filter(Set.of(), null, null);
  }
}
