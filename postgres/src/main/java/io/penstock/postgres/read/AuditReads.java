package io.penstock.postgres.read;

import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.read.NumberSearch.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Lists the audit. Safe for use by many threads. */
public final class AuditReads {
  private static final String PAGE = Sql.of(AuditReads.class, "audit.sql");

  /** Lines that a page looks at when its conditions have no index. */
  private static final int LOOKED_AT = 10_000;

  private final Pool pool;

  public AuditReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * Which lines; all conditions hold together, and null means any.
   *
   * @param tenantIds only about things of these tenants; empty = about anything
   * @param action a whole action ({@code gate.pause}) or its thing ({@code gate})
   * @param subject the subject, or what its part before a slash is
   * @param since at this time or later
   * @param until before this time
   */
  public record Filter(
      Set<String> tenantIds,
      @Nullable String actor,
      @Nullable String action,
      @Nullable String subject,
      @Nullable Instant since,
      @Nullable Instant until) {
    public static final Filter ALL = new Filter(Set.of(), null, null, null, null, null);
  }

  /**
   * Lines newest first, before {@code before} (null = from the newest).
   *
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<AuditView, Long> page(Filter filter, @Nullable Long before, int limit) {
    Page.check(limit);
    Instant since = Objects.requireNonNullElse(filter.since(), Instant.EPOCH);
    Instant until = Objects.requireNonNullElse(filter.until(), Bind.LATEST);
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          handle.execute("set local plan_cache_mode = force_custom_plan");
          long highest = highest(handle);
          long from = NumberSearch.notBelow(since, highest, number -> next(handle, number));
          long to = NumberSearch.above(until, highest, number -> next(handle, number));
          return handle
              .createQuery(PAGE)
              .bind("tenants", Reads.anyOf(filter.tenantIds()))
              .bind("actor", filter.actor())
              .bind("action", filter.action())
              .bind("subject", filter.subject())
              .bind("since", Bind.time(since))
              .bind("until", Bind.time(until))
              .bind("from", from)
              .bind("before", before == null ? to : Math.min(before, to))
              .bind("scan", Math.max(limit + 1, LOOKED_AT))
              .bind("limit", limit + 1)
              .execute((executed, context) -> read(executed.get().getResultSet(), limit));
        });
  }

  private static long highest(Handle handle) {
    return handle
        .createQuery("select coalesce(max(audit_no), 0) from penstock.audit")
        .mapTo(Long.class)
        .one();
  }

  private static Optional<Place> next(Handle handle, long number) {
    return handle
        .createQuery(
            """
            select audit_no, at
            from penstock.audit
            where audit_no >= :number
            order by audit_no
            limit 1
            """)
        .bind("number", number)
        .map((row, context) -> new Place(row.getLong("audit_no"), Bind.instant(row, "at")))
        .findOne();
  }

  private static Page<AuditView, Long> read(ResultSet rows, int limit) throws SQLException {
    List<AuditView> found = new ArrayList<>();
    Long floor = null;
    while (rows.next()) {
      floor = rows.getObject("floor", Long.class);
      if (rows.getString("action") != null) {
        found.add(
            new AuditView(
                rows.getLong("audit_no"),
                Bind.instant(rows, "at"),
                rows.getString("actor"),
                rows.getString("action"),
                rows.getString("subject"),
                rows.getString("tenant_id"),
                rows.getString("reason"),
                rows.getString("detail")));
      }
    }
    Page<AuditView, Long> page = Page.of(found, limit, AuditView::auditNo);
    return page.hasMore() ? page : new Page<>(page.items(), floor);
  }
}
