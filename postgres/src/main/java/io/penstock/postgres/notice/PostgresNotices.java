package io.penstock.postgres.notice;

import io.penstock.budget.BudgetState;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.notice.Notice;
import io.penstock.engine.notice.NoticeKind;
import io.penstock.engine.notice.Notices;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Works out what operators do not know yet. Safe for use by many threads. */
public final class PostgresNotices implements Notices {
  static final Duration GROWING_WINDOW = Duration.ofMinutes(1);

  /** A shelf that goes on growing is told of again after this. */
  private static final Duration GROWING_AGAIN = Duration.ofMinutes(10);

  /** How long another node leaves it to this one. */
  private static final Duration LEAD = Duration.ofSeconds(20);

  /** What was told of events is remembered as long as they can be found. */
  private static final Duration REMEMBERED = Duration.ofDays(60);

  /** Looked at, and told, at once. */
  private static final int MOST_EVENTS = 500;

  private static final int MOST_ARRIVED = 200_000;

  /** What lasts, and is over one day. */
  private static final Set<NoticeKind> STANDING =
      EnumSet.of(NoticeKind.PARKED, NoticeKind.HELD, NoticeKind.DISABLED);

  private static final String AMISS = Sql.of(PostgresNotices.class, "amiss.sql");
  private static final String GROWING = Sql.of(PostgresNotices.class, "growing.sql");
  private static final String EVENTS = Sql.of(PostgresNotices.class, "events.sql");

  private final Pool pool;
  private final String own;
  private final Limits limits;

  /**
   * @param own the tenant of the notices themselves, of which nothing is told
   * @param limits asked at each look from how many on a shelf is growing
   */
  public PostgresNotices(Pool pool, String own, Limits limits) {
    this.pool = pool;
    this.own = own;
    this.limits = limits;
  }

  @Override
  public boolean lead(String node) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Instant now = pool.now(handle);
          return handle
                  .createUpdate(
                      """
                      insert into penstock.notice_watch (since, leader, leader_until)
                      values (:now, :node, :until)
                      on conflict (one) do update
                      set leader = :node, leader_until = :until
                      where notice_watch.leader = :node or notice_watch.leader_until <= :now
                      """)
                  .bind("now", Bind.time(now))
                  .bind("node", node)
                  .bind("until", Bind.time(now.plus(LEAD)))
                  .execute()
              == 1;
        });
  }

  @Override
  public List<Notice> untold() {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          handle.execute("set local statement_timeout = '10s'");
          Instant now = pool.now(handle);
          countArrivals(handle, now);
          List<Notice> untold = new ArrayList<>(standing(handle, now));
          untold.addAll(events(handle));
          return untold;
        });
  }

  // ---- what lasts

  /** What is amiss and was not told, and what was told and is over. */
  private List<Notice> standing(Handle handle, Instant now) {
    Map<String, Notice> amiss = new HashMap<>();
    handle
        .createQuery(AMISS)
        .bind("own", own)
        .map((row, context) -> amiss(row, now))
        .forEach(found -> found.forEach(notice -> amiss.put(name(notice), notice)));
    List<Notice> untold = new ArrayList<>();
    for (Notice told : told(handle)) {
      if (amiss.remove(name(told)) == null) {
        untold.add(
            new Notice(
                NoticeKind.RECOVERED, told.subject(), told.tenantId(), told.kind().word(), now));
      }
    }
    untold.addAll(amiss.values());
    return untold;
  }

  private static List<Notice> amiss(ResultSet row, Instant now) throws SQLException {
    String id = row.getString("destination_id");
    String tenant = row.getString("tenant_id");
    BudgetState budget = BudgetState.decode(row.getString("state"));
    List<Notice> found = new ArrayList<>();
    if (row.getBoolean("disabled")) {
      found.add(new Notice(NoticeKind.DISABLED, id, tenant, "new events go to the shelf", now));
    }
    if (row.getBoolean("held")) {
      found.add(
          new Notice(NoticeKind.HELD, id, tenant, "everything is kept until it is released", now));
    }
    if (budget.parked()) {
      found.add(
          new Notice(
              NoticeKind.PARKED, id, tenant, "one probe at a time until it answers well", now));
    }
    return found;
  }

  /** What was told and lasted then; not of destinations that are deleted. */
  private static List<Notice> told(Handle handle) {
    return handle
        .createQuery(
            """
            select n.kind, n.subject, n.tenant_id, n.detail, n.since
            from penstock.notice n
            where n.kind = any(:standing) and exists (
              select from penstock.destination d
              where d.destination_id = n.subject and d.deleted_at is null)
            """)
        .bind("standing", Bind.texts(STANDING.stream().map(NoticeKind::word).toList()))
        .map((row, context) -> notice(row))
        .list();
  }

  // ---- what happens once

  private List<Notice> events(Handle handle) {
    return handle
        .createQuery(EVENTS)
        .bind("own", own)
        .bind("most", MOST_EVENTS)
        .bind(
            "since",
            handle
                .createQuery("select since from penstock.notice_watch")
                .map((row, context) -> Bind.time(Bind.instant(row, "since")))
                .one())
        .map((row, context) -> notice(row))
        .list();
  }

  /** Once a minute; from the first look on. */
  private void countArrivals(Handle handle, Instant now) {
    handle
        .createUpdate(
            """
            delete from penstock.notice
            where told_at is not null and ((kind = 'shelf_growing' and told_at <= :growing)
              or told_at <= :old and kind in ('redrive_aborted', 'limits_refused'))
            """)
        .bind("growing", Bind.time(now.minus(GROWING_AGAIN)))
        .bind("old", Bind.time(now.minus(REMEMBERED)))
        .execute();
    for (int shard = 0; shard < pool.shards(); shard++) {
      countArrivals(handle, shard, now);
    }
  }

  private void countArrivals(Handle handle, int shard, Instant now) {
    record Counted(long to, Instant at) {}
    Counted last =
        handle
            .createQuery(
                """
                select dead_letter_no, counted_at from penstock.notice_shelf where shard = :shard
                """)
            .bind("shard", shard)
            .map((row, context) ->
                new Counted(row.getLong("dead_letter_no"), Bind.instant(row, "counted_at")))
            .findOne()
            .orElse(null);
    if (last != null && !last.at().isAfter(now) && now.isBefore(last.at().plus(GROWING_WINDOW))) {
      return;
    }
    if (last != null) {
      handle
          .createUpdate(GROWING)
          .bind("shard", shard)
          .bind("after", last.to())
          .bind("most", MOST_ARRIVED)
          .bind("threshold", limits.alerts().deadLettersPerMinute())
          .bind("seconds", Long.toString(Math.max(1, Duration.between(last.at(), now).toSeconds())))
          .bind("own", own)
          .bind("now", Bind.time(now))
          .execute();
    }
    handle
        .createUpdate(
            """
            insert into penstock.notice_shelf (shard, dead_letter_no, counted_at)
            values (:shard,
              coalesce((select max(dead_letter_no) from penstock.dead_letter where shard = :shard), 0),
              :now)
            on conflict (shard) do update
            set dead_letter_no = excluded.dead_letter_no, counted_at = excluded.counted_at
            """)
        .bind("shard", shard)
        .bind("now", Bind.time(now))
        .execute();
  }

  // ---- what was told

  @Override
  public void told(List<Notice> notices) {
    pool.transaction(
        Use.CALLER,
        handle -> {
          Instant now = pool.now(handle);
          notices.forEach(notice -> told(handle, notice, now));
          return notices.size();
        });
  }

  private static void told(Handle handle, Notice notice, Instant now) {
    if (notice.kind() == NoticeKind.RECOVERED) {
      handle
          .createUpdate("delete from penstock.notice where kind = :kind and subject = :subject")
          .bind("kind", notice.detail())
          .bind("subject", notice.subject())
          .execute();
      return;
    }
    handle
        .createUpdate(
            """
            insert into penstock.notice (kind, subject, tenant_id, detail, since, told_at)
            values (:kind, :subject, :tenant, :detail, :since, :now)
            on conflict (kind, subject) do update set told_at = excluded.told_at
            """)
        .bind("kind", notice.kind().word())
        .bind("subject", notice.subject())
        .bind("tenant", notice.tenantId())
        .bind("detail", notice.detail())
        .bind("since", Bind.time(notice.since()))
        .bind("now", Bind.time(now))
        .execute();
  }

  private static String name(Notice notice) {
    return notice.kind().word() + " " + notice.subject();
  }

  private static Notice notice(ResultSet row) throws SQLException {
    return new Notice(
        NoticeKind.ofWord(row.getString("kind")),
        row.getString("subject"),
        row.getString("tenant_id"),
        row.getString("detail"),
        Bind.instant(row, "since"));
  }
}
