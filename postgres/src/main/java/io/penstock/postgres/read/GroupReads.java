package io.penstock.postgres.read;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the groups of the shelf. Safe for use by many threads. */
public final class GroupReads {
  private static final String GROUPS = Sql.of(GroupReads.class, "groups.sql");
  private static final String CAUSES = Sql.of(GroupReads.class, "causes.sql");

  private static final GroupCursor BIGGEST = new GroupCursor(Long.MAX_VALUE, Long.MAX_VALUE);

  private final Pool pool;

  public GroupReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * Which groups; null = any.
   *
   * @param tenantIds empty = of all tenants
   */
  public record Filter(
      Set<String> tenantIds, @Nullable String destinationId, @Nullable Reason reason) {
    public static final Filter ALL = new Filter(Set.of(), null, null);
  }

  /**
   * Groups biggest first, after {@code after} (null = from the biggest).
   *
   * @param phrases whether groups that differ only in the receiver's words stay apart and show them
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<ShelfGroupView, GroupCursor> page(
      Filter filter, boolean phrases, @Nullable GroupCursor after, int limit) {
    Page.check(limit);
    GroupCursor from = after == null ? BIGGEST : after;
    String destination = filter.destinationId();
    Reason reason = filter.reason();
    List<ShelfGroupView> found =
        pool.transaction(
            Use.CALLER,
            handle -> {
              Reads.enter(handle);
              // What is not asked for must not cost: conditions fall away when they are planned.
              handle.execute("set local plan_cache_mode = force_custom_plan");
              return handle
                  .createQuery(phrases ? GROUPS : CAUSES)
                  .bind("tenants", Reads.anyOf(filter.tenantIds()))
                  .bind("destination", destination)
                  .bind("shard", destination == null ? 0 : Shard.of(destination, pool.shards()))
                  .bind("reason", reason == null ? null : reason.word())
                  .bind("letters", from.letters())
                  .bind("group", from.groupNo())
                  .bind("limit", limit + 1)
                  .map((row, context) -> view(row))
                  .list();
            });
    return Page.of(found, limit, last -> new GroupCursor(last.letters(), last.groupNo()));
  }

  /** Up to when the groups are counted; empty when they never were. */
  public Optional<Instant> countedAt() {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select min(counted_at) as at
                    from penstock.shelf_count
                    having min(counted_at) > 'epoch'
                    """)
                .map((row, context) -> Bind.instant(row, "at"))
                .findOne());
  }

  private static ShelfGroupView view(ResultSet row) throws SQLException {
    return new ShelfGroupView(
        row.getString("destination_id"),
        row.getString("tenant_id"),
        Reason.ofWord(row.getString("reason")),
        row.getInt("last_status"),
        row.getString("phrase"),
        row.getLong("letters"),
        Bind.instant(row, "first_at"),
        Bind.instant(row, "last_at"),
        row.getLong("example_no"),
        row.getLong("group_no"));
  }
}
