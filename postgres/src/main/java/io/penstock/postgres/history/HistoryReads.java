package io.penstock.postgres.history;

import io.penstock.engine.destination.Destination;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads histories. Safe for use by many threads. */
public final class HistoryReads {
  private static final String POINTS = Sql.of(HistoryReads.class, "points.sql");

  /**
   * Changes of gates, and versions of the limits, that one answer may hold: people do not make more
   * in a sensible time.
   */
  private static final int MOST_CHANGES = 500;

  private final Pool pool;

  public HistoryReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * A stretch of a history.
   *
   * @param before the last rate before it; null = none is known
   * @param points in the order of time
   * @param versions of the limits, whether or not they changed this destination's
   * @param nextFrom where the next stretch begins; null = this is all
   */
  public record Stretch(
      @Nullable HistoryRow before,
      List<HistoryRow> points,
      List<GateRow> gates,
      List<LimitsRow> versions,
      @Nullable Instant nextFrom) {}

  /**
   * What happened from one time until before another, at most so many points; those of one second
   * are never torn apart.
   *
   * @param most 10 or more
   */
  public Stretch between(Destination destination, Instant from, Instant to, int most) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          handle.execute("set local statement_timeout = '5s'; set local jit = off");
          List<HistoryRow> rows =
              handle
                  .createQuery(POINTS)
                  .bind("shard", destination.shard())
                  .bind("destination", destination.id())
                  .bind("from", Bind.time(from))
                  .bind("to", Bind.time(to))
                  .bind("most", most + 1)
                  .map((row, context) -> row(row))
                  .list();
          HistoryRow before = null;
          if (!rows.isEmpty() && rows.getFirst().at().isBefore(from)) {
            before = rows.getFirst();
            rows = rows.subList(1, rows.size());
          }
          Instant next = rows.size() > most ? rows.getLast().at() : null;
          Instant end = next == null ? to : next;
          return new Stretch(
              before,
              rows.stream().filter(row -> row.at().isBefore(end)).toList(),
              gates(handle, destination, from, end),
              versions(handle, from, end),
              next);
        });
  }

  private static List<GateRow> gates(
      Handle handle, Destination destination, Instant from, Instant to) {
    return handle
        .createQuery(
            """
            select at, actor, action, detail, reason
            from penstock.audit
            where subject = any(:subjects) and at >= :from and at < :to and action like 'gate.%'
              and (subject, detail) in ((:destination, 'destination'), (:tenant, 'tenant'),
                ('everything', 'everything'))
            order by at
            limit :most
            """)
        .bind(
            "subjects", Bind.texts(List.of(destination.id(), destination.tenantId(), "everything")))
        .bind("destination", destination.id())
        .bind("tenant", destination.tenantId())
        .bind("from", Bind.time(from))
        .bind("to", Bind.time(to))
        .bind("most", MOST_CHANGES)
        .map((row, context) ->
            new GateRow(
                Bind.instant(row, "at"),
                row.getString("actor"),
                row.getString("action"),
                row.getString("detail"),
                row.getString("reason")))
        .list();
  }

  /** The newest versions of that time: there are few, and those that were refused do not count. */
  private static List<LimitsRow> versions(Handle handle, Instant from, Instant to) {
    return handle
        .createQuery(
            """
            select version_no, author, source, reason, at
            from (
              select *
              from penstock.limits_version
              where result = 'applied'
              order by version_no desc
              limit :most) v
            where at >= :from and at < :to
            order by version_no
            """)
        .bind("from", Bind.time(from))
        .bind("to", Bind.time(to))
        .bind("most", MOST_CHANGES)
        .map((row, context) ->
            new LimitsRow(
                Bind.instant(row, "at"),
                row.getLong("version_no"),
                row.getString("author"),
                row.getString("source"),
                row.getString("reason")))
        .list();
  }

  private static HistoryRow row(ResultSet row) throws SQLException {
    return new HistoryRow(
        Bind.instant(row, "at"),
        row.getString("kind"),
        row.getInt("span"),
        row.getDouble("rate"),
        row.getDouble("ceiling"),
        row.getObject("knee", Double.class),
        row.getInt("throttled"),
        row.getInt("times"),
        row.getObject("before", Double.class),
        row.getInt("failures"),
        row.getString("cause"));
  }
}
