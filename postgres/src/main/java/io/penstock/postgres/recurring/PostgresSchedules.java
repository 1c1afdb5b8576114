package io.penstock.postgres.recurring;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.FiringPlan;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Schedules;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Headers;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import io.penstock.postgres.ledger.Accepts;
import io.penstock.postgres.ledger.HotPath;
import io.penstock.postgres.partition.Partitions;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.NullArgument;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Schedules on Postgres. Their statements use a caller's connections, so that no claim or settle
 * ever waits for one. Safe for use by many threads.
 */
public final class PostgresSchedules implements Schedules {
  static final String LOOK = Sql.of(PostgresSchedules.class, "look.sql");
  static final String DUE = Sql.of(PostgresSchedules.class, "due.sql");
  static final String FIRED = Sql.of(PostgresSchedules.class, "fired.sql");
  private static final String CREATE = Sql.of(PostgresSchedules.class, "create.sql");
  private static final String LIST = Sql.of(PostgresSchedules.class, "list.sql");

  private final Pool pool;
  private final Partitions partitions;
  private final Accepts accepts;

  public PostgresSchedules(Pool pool) {
    this.pool = pool;
    this.partitions = new Partitions(pool);
    this.accepts = Accepts.of(pool);
  }

  private int shard(String id) {
    return Shard.of(id, pool.shards());
  }

  // ---- making and steering

  @Override
  public Made create(Function<Instant, Schedule> wanted, Audit by) {
    return inTransaction(handle -> {
      Instant now = pool.now(handle);
      Schedule made = wanted.apply(now);
      String tenant = made.tenantId();
      if (!hasTenant(handle, tenant)) {
        return new Made.NoTenant(tenant);
      }
      if (count(handle, tenant) >= MOST_OF_TENANT) {
        return new Made.Full(tenant);
      }
      if (insert(handle, made) == 0) {
        return new Made.Taken(made.id());
      }
      audit(handle, now, by, "schedule.create", made);
      return new Made.Created(made);
    });
  }

  private static boolean hasTenant(Handle handle, String tenant) {
    return handle
        .createQuery(
            """
            select exists (
              select from penstock.tenant where tenant_id = :tenant and erased_at is null)
            """)
        .bind("tenant", tenant)
        .mapTo(Boolean.class)
        .one();
  }

  private static int count(Handle handle, String tenant) {
    return handle
        .createQuery("select count(*)::integer from penstock.schedule where tenant_id = :tenant")
        .bind("tenant", tenant)
        .mapTo(Integer.class)
        .one();
  }

  private int insert(Handle handle, Schedule made) {
    Update insert =
        handle
            .createUpdate(CREATE)
            .bind("shard", shard(made.id()))
            .bind("schedule", made.id())
            .bind("tenant", made.tenantId())
            .bind("catchUp", Math.toIntExact(made.catchUp().within().toSeconds()))
            .bind("missed", ScheduleRows.word(made.catchUp().missed()))
            .bind("type", made.template().type())
            .bind("contentType", made.template().contentType())
            .bind("headers", Headers.format(made.template().headers()))
            .bind("urgency", made.template().urgency().code())
            .bind("destinations", Bind.texts(made.template().destinationIds()))
            .bind("over", seconds(made.template().over()))
            .bind("items", Bind.texts(made.template().items()))
            .bind("body", made.template().body())
            .bind("paused", made.paused())
            .bind("nextAt", timeOrNull(made.nextAt()))
            .bind("actor", made.createdBy())
            .bind("reason", made.reason())
            .bind("now", Bind.time(made.createdAt()));
    switch (made.recurrence()) {
      case Recurrence.Every(Duration every, Instant from) ->
          insert
              .bind("every", Math.toIntExact(every.toSeconds()))
              .bind("from", Bind.time(from))
              .bindNull("cron", Types.VARCHAR)
              .bindNull("zone", Types.VARCHAR)
              .bindNull("onGap", Types.VARCHAR)
              .bindNull("onRepeat", Types.VARCHAR);
      case Recurrence.Cron(var expression, var zone, var change) ->
          insert
              .bindNull("every", Types.INTEGER)
              .bindNull("from", Types.TIMESTAMP_WITH_TIMEZONE)
              .bind("cron", expression.text())
              .bind("zone", zone.getId())
              .bind("onGap", ScheduleRows.word(change.gap()))
              .bind("onRepeat", ScheduleRows.word(change.repeat()));
    }
    return insert.execute();
  }

  @Override
  public Optional<Schedule> find(String id) {
    return pool.read(
        Use.CALLER,
        handle ->
            one(
                handle,
                id,
                """
                select * from penstock.schedule where shard = :shard and schedule_id = :schedule
                """));
  }

  private Optional<Schedule> lock(Handle handle, String id) {
    return one(
        handle,
        id,
        """
        select * from penstock.schedule where shard = :shard and schedule_id = :schedule
        for no key update
        """);
  }

  private Optional<Schedule> one(Handle handle, String id, String sql) {
    return handle
        .createQuery(sql)
        .bind("shard", shard(id))
        .bind("schedule", id)
        .map((row, context) -> ScheduleRows.schedule(row))
        .findOne();
  }

  @Override
  public List<Schedule> list(Set<String> tenantIds, @Nullable String after, int limit) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(LIST)
                .bind(
                    "tenants",
                    tenantIds.isEmpty() ? new NullArgument(Types.ARRAY) : Bind.texts(tenantIds))
                .bind("after", after == null ? "" : after)
                .bind("limit", limit)
                .map((row, context) -> ScheduleRows.schedule(row))
                .list());
  }

  @Override
  public Commanded command(String id, Command command, Audit by) {
    return inTransaction(handle -> {
      Schedule before = lock(handle, id).orElse(null);
      if (before == null) {
        return new Commanded.NotFound(id);
      }
      boolean pause = command == Command.PAUSE;
      if (before.paused() == pause) {
        return new Commanded.Already(before);
      }
      Instant now = pool.now(handle);
      Schedule after = pause ? before.pausedNow() : before.resumedAt(now);
      handle
          .createUpdate(
              """
              update penstock.schedule set paused = :paused, next_at = :nextAt
              where shard = :shard and schedule_id = :schedule
              """)
          .bind("paused", after.paused())
          .bind("nextAt", timeOrNull(after.nextAt()))
          .bind("shard", shard(id))
          .bind("schedule", id)
          .execute();
      audit(handle, now, by, pause ? "schedule.pause" : "schedule.resume", after);
      return new Commanded.Done(after);
    });
  }

  @Override
  public boolean delete(String id, Audit by) {
    return inTransaction(handle -> {
      Schedule before = lock(handle, id).orElse(null);
      if (before == null) {
        return false;
      }
      delete(
          handle,
          id,
          """
          delete from penstock.schedule_firing where shard = :shard and schedule_id = :schedule
          """);
      delete(
          handle,
          id,
          "delete from penstock.schedule where shard = :shard and schedule_id = :schedule");
      audit(handle, pool.now(handle), by, "schedule.delete", before);
      return true;
    });
  }

  private void delete(Handle handle, String id, String sql) {
    handle.createUpdate(sql).bind("shard", shard(id)).bind("schedule", id).execute();
  }

  private static void audit(
      Handle handle, Instant now, Audit by, String action, Schedule schedule) {
    AuditLog.write(handle, now, by, AuditLog.Line.of(action, schedule.id(), schedule.tenantId()));
  }

  // ---- firing

  @Override
  public Look look() {
    return pool.read(
        Use.CALLER,
        handle -> {
          Instant now = pool.now(handle);
          Map<Integer, Instant> next = new HashMap<>();
          handle
              .createQuery(LOOK)
              .bind("shards", Bind.ints(IntStream.range(0, pool.shards()).toArray()))
              .map((row, context) -> Map.entry(row.getInt("shard"), Bind.instant(row, "next_at")))
              .forEach(one -> next.put(one.getKey(), one.getValue()));
          return new Look(now, next);
        });
  }

  @Override
  public List<FiringPlan.Done> fire(Turn turn, Supplier<UUID> ids, Room room) {
    return partitions.onDemand(
        List.of(), () -> inTransaction(handle -> fire(handle, turn, ids, room)));
  }

  @Override
  public List<String> due(Turn turn) {
    return inTransaction(
        handle -> due(handle, turn, pool.now(handle)).stream().map(Schedule::id).toList());
  }

  /** Locks them. */
  private static List<Schedule> due(Handle handle, Turn turn, Instant now) {
    return handle
        .createQuery(DUE)
        .bind("shard", turn.shard())
        .bind("now", Bind.time(now))
        .bind("without", Bind.texts(turn.without()))
        .bind("most", turn.most())
        .map((row, context) -> ScheduleRows.schedule(row))
        .list();
  }

  private List<FiringPlan.Done> fire(Handle handle, Turn turn, Supplier<UUID> ids, Room room) {
    Instant now = pool.now(handle);
    List<Schedule> locked = due(handle, turn, now);
    if (locked.isEmpty()) {
      return List.of();
    }
    FiringPlan plan = FiringPlan.of(locked, now, ids);
    List<Acceptance> answers =
        plan.events().isEmpty() ? List.of() : accepts.within(handle, plan.events(), room);
    List<FiringPlan.Done> done = plan.after(answers);
    save(handle, turn.shard(), now, done);
    return done;
  }

  private static void save(Handle handle, int shard, Instant now, List<FiringPlan.Done> done) {
    List<Schedule> schedules = done.stream().map(FiringPlan.Done::schedule).toList();
    List<Firing> firings = done.stream().flatMap(one -> one.firings().stream()).toList();
    List<@Nullable Long> nexts = new ArrayList<>();
    schedules.forEach(one -> nexts.add(microsOrNull(one.nextAt())));
    List<@Nullable UUID> events = new ArrayList<>();
    firings.forEach(one -> events.add(one.eventId()));
    handle
        .createUpdate(FIRED)
        .bind("shard", shard)
        .bind("now", Bind.time(now))
        .bind("schedules", Bind.texts(schedules.stream().map(Schedule::id).toList()))
        .bind("nexts", Bind.longsOrNull(nexts))
        .bind("fired", longs(schedules, Schedule.Counts::fired))
        .bind("refused", longs(schedules, Schedule.Counts::refused))
        .bind("tooOld", longs(schedules, Schedule.Counts::tooOld))
        .bind("merged", longs(schedules, Schedule.Counts::merged))
        .bind("firedSchedules", Bind.texts(firings.stream().map(Firing::scheduleId).toList()))
        .bind("ats", Bind.longs(firings.stream().mapToLong(f -> Bind.micros(f.at())).toArray()))
        .bind("events", Bind.uuids(events))
        .bind("problems", Bind.texts(firings.stream().map(Firing::problem).toList()))
        .execute();
  }

  private static Argument longs(List<Schedule> schedules, ToLongFunction<Schedule.Counts> count) {
    return Bind.longs(
        schedules.stream().mapToLong(one -> count.applyAsLong(one.counts())).toArray());
  }

  private static @Nullable Long microsOrNull(@Nullable Instant time) {
    return time == null ? null : Bind.micros(time);
  }

  @Override
  public List<Firing> firings(String id, @Nullable Instant before, int limit) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select schedule_id, at, fired_at, event_id, problem
                    from penstock.schedule_firing
                    where shard = :shard and schedule_id = :schedule and at < :before
                    order by at desc
                    limit :limit
                    """)
                .bind("shard", shard(id))
                .bind("schedule", id)
                .bind("before", Bind.time(before == null ? Bind.LATEST : before))
                .bind("limit", limit)
                .map((row, context) -> ScheduleRows.firing(row))
                .list());
  }

  /** 0 = none. */
  private static int seconds(@Nullable Duration over) {
    return over == null ? 0 : Math.toIntExact(over.toSeconds());
  }

  private static @Nullable OffsetDateTime timeOrNull(@Nullable Instant time) {
    return time == null ? null : Bind.time(time);
  }

  private <T> T inTransaction(Pool.Work<T> work) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          return work.with(handle);
        });
  }
}
