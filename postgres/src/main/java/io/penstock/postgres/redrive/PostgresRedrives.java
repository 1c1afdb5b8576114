package io.penstock.postgres.redrive;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveKey;
import io.penstock.engine.redrive.RedriveOutcome;
import io.penstock.engine.redrive.RedrivePlan;
import io.penstock.engine.redrive.RedriveProgress;
import io.penstock.engine.redrive.RedriveRule;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveState;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import io.penstock.postgres.ledger.HotPath;
import io.penstock.postgres.redrive.Matches.Match;
import io.penstock.postgres.redrive.Matches.Matched;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.NullArgument;
import org.jspecify.annotations.Nullable;

/**
 * Redrives on Postgres. Their statements use a caller's connections, so that no claim or settle
 * ever waits for one. Safe for use by many threads.
 */
public final class PostgresRedrives implements Redrives {
  /** Dead letters that a plan looks at in one statement: about 0.2 s. */
  private static final int PLAN_SCAN = 20_000;

  /** So long nothing is due that anybody knows of. */
  private static final Duration NEVER = Duration.ofHours(1);

  private static final String START = Sql.of(PostgresRedrives.class, "start.sql");
  private static final String LIST = Sql.of(PostgresRedrives.class, "list.sql");
  private static final String EVENTS = Sql.of(PostgresRedrives.class, "events.sql");

  private final Pool pool;
  private final LongSupplier nanoClock;
  private final Steps steps;

  /**
   * @param nanoClock bounds how long a plan counts
   */
  public PostgresRedrives(Pool pool, LongSupplier nanoClock) {
    this.pool = pool;
    this.nanoClock = nanoClock;
    this.steps = new Steps(pool);
  }

  @Override
  public Started start(String id, RedriveFilter filter, RedriveSettings settings, Audit by) {
    String destination = filter.destinationId();
    int shard = Shard.of(destination, pool.shards());
    return inTransaction(handle -> {
      Optional<RedriveTask> before = find(handle, id);
      if (before.isPresent()) {
        return new Started.Active(before.get());
      }
      Optional<String> tenant = tenantOf(handle, shard, destination);
      if (tenant.isEmpty()) {
        return new Started.NoDestination(destination);
      }
      Optional<RedriveTask> active = active(handle, shard, destination);
      if (active.isPresent()) {
        return new Started.Busy(active.get());
      }
      long bound = bound(handle, shard, destination);
      Instant now = pool.now(handle);
      RedriveProgress progress = RedriveProgress.starting(bound, now);
      if (insert(
              handle,
              new RedriveTask(
                  new RedriveKey(shard, id),
                  tenant.get(),
                  filter,
                  settings,
                  progress,
                  null,
                  by.actor(),
                  by.reason(),
                  now,
                  null))
          == 0) { // somebody else came first, and has committed by now
        return find(handle, id)
            .<Started>map(Started.Active::new)
            .orElseGet(() -> new Started.Busy(active(handle, shard, destination).orElseThrow()));
      }
      RedriveTask started = find(handle, id).orElseThrow();
      AuditLog.write(
          handle,
          now,
          by,
          AuditLog.Line.of("redrive.start", started.subject(), started.tenantId()));
      return new Started.Active(started);
    });
  }

  private static Optional<String> tenantOf(Handle handle, int shard, String destination) {
    return handle
        .createQuery(
            """
            select tenant_id
            from penstock.destination
            where shard = :shard and destination_id = :destination and deleted_at is null
            """)
        .bind("shard", shard)
        .bind("destination", destination)
        .mapTo(String.class)
        .findOne();
  }

  private static Optional<RedriveTask> active(Handle handle, int shard, String destination) {
    return handle
        .createQuery(
            """
            select *
            from penstock.redrive
            where shard = :shard and destination_id = :destination
              and state in ('starting', 'running', 'paused')
            """)
        .bind("shard", shard)
        .bind("destination", destination)
        .map((row, context) -> TaskRows.task(row))
        .findOne();
  }

  /** The highest number of the destination's shelf; 0 = there is nothing. */
  private static long bound(Handle handle, int shard, String destination) {
    return handle
        .createQuery(
            """
            select coalesce(max(dead_letter_no), 0)
            from penstock.dead_letter
            where shard = :shard and destination_id = :destination
            """)
        .bind("shard", shard)
        .bind("destination", destination)
        .mapTo(Long.class)
        .one();
  }

  private static int insert(Handle handle, RedriveTask task) {
    RedriveFilter filter = task.filter();
    RedriveSettings settings = task.settings();
    return handle
        .createUpdate(START)
        .bind("shard", task.key().shard())
        .bind("redrive", task.key().id())
        .bind("destination", task.destinationId())
        .bind("tenant", task.tenantId())
        .bind("outcomes", Bind.texts(filter.outcomes()))
        .bind("reasons", Bind.texts(filter.reasons().stream().map(Reason::word).toList()))
        .bind(
            "statuses", Bind.ints(filter.statuses().stream().mapToInt(Integer::intValue).toArray()))
        .bind("diedFrom", Matches.timeOrNull(filter.diedFrom()))
        .bind("diedBefore", Matches.timeOrNull(filter.diedBefore()))
        .bind("types", Bind.texts(filter.types()))
        .bind("eventIds", Bind.uuids(filter.eventIds()))
        .bind("rate", settings.ratePerMinute())
        .bind("watermark", settings.lowWatermark())
        .bind("canaryFirst", settings.canaryFirst())
        .bind("canaryPercent", settings.canaryPercent())
        .bind("abortPercent", settings.abortPercent())
        .bind("abortAfter", settings.abortAfter())
        .bind("bound", task.progress().bound())
        .bind("state", task.progress().state().word())
        .bind("lookedAt", Bind.time(task.progress().lookedAt()))
        .bind("waitsFor", task.progress().waitsFor())
        .bind("explained", task.progress().explained())
        .bind("actor", task.startedBy())
        .bind("reason", task.reason())
        .bind("now", Bind.time(task.startedAt()))
        .execute();
  }

  @Override
  public RedrivePlan plan(RedriveFilter filter, Duration budget) {
    int shard = Shard.of(filter.destinationId(), pool.shards());
    long began = nanoClock.getAsLong();
    long bound = inTransaction(handle -> bound(handle, shard, filter.destinationId()));
    long cursor = 0;
    long matched = 0;
    List<RedrivePlan.Sample> sample = new ArrayList<>();
    while (cursor < bound && nanoClock.getAsLong() - began < budget.toNanos()) {
      Matched page = planPage(shard, filter, cursor, bound);
      matched += page.dead();
      page.matches().stream()
          .map(Match::letter)
          .limit(RedrivePlan.MOST_SAMPLED - sample.size())
          .forEach(sample::add);
      cursor = page.cursor();
    }
    return new RedrivePlan(matched, cursor >= bound, sample);
  }

  /** A transaction of its own each: a long one would keep old rows from being cleaned away. */
  private Matched planPage(int shard, RedriveFilter filter, long after, long bound) {
    return inTransaction(
        handle -> Matches.page(handle, shard, filter, Bind.LATEST, after, bound, PLAN_SCAN));
  }

  @Override
  public Optional<RedriveTask> find(String id) {
    return pool.read(Use.CALLER, handle -> find(handle, id));
  }

  private static Optional<RedriveTask> find(Handle handle, String id) {
    return handle
        .createQuery("select * from penstock.redrive where redrive_id = :redrive")
        .bind("redrive", id)
        .map((row, context) -> TaskRows.task(row))
        .findOne();
  }

  @Override
  public List<RedriveTask> list(Listing listing) {
    Before before = listing.before();
    Set<String> tenants = listing.tenantIds();
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(LIST)
                .bind(
                    "tenants",
                    tenants.isEmpty() ? new NullArgument(Types.ARRAY) : Bind.texts(tenants))
                .bind("destination", listing.destinationId())
                .bind("active", listing.active())
                .bind("beforeTime", Matches.timeOrNull(before == null ? null : before.startedAt()))
                .bind("beforeId", before == null ? "" : before.id())
                .bind("limit", listing.limit())
                .map((row, context) -> TaskRows.task(row))
                .list());
  }

  @Override
  public Commanded command(String id, Command command, Audit by) {
    return inTransaction(handle -> {
      Optional<RedriveTask> locked =
          handle
              .createQuery(
                  """
                  select * from penstock.redrive
                  where redrive_id = :redrive
                  for no key update
                  """)
              .bind("redrive", id)
              .map((row, context) -> TaskRows.task(row))
              .findOne();
      if (locked.isEmpty()) {
        return new Commanded.NotFound(id);
      }
      RedriveTask task = locked.get();
      RedriveState to = command.from(task.progress().state()).orElse(null);
      if (to == null) {
        return new Commanded.WrongState(task);
      }
      Instant now = pool.now(handle);
      setState(handle, task.key(), to, command.explained(by), now);
      AuditLog.write(
          handle, now, by, AuditLog.Line.of(command.action(), task.subject(), task.tenantId()));
      return new Commanded.Done(find(handle, id).orElseThrow());
    });
  }

  private static void setState(
      Handle handle, RedriveKey key, RedriveState to, String explained, Instant now) {
    handle
        .createUpdate(
            """
            update penstock.redrive
            set state = :state, waits_for = :state, explained = :explained, due_at = :now,
              ended_at = :endedAt
            where shard = :shard and redrive_id = :redrive
            """)
        .bind("shard", key.shard())
        .bind("redrive", key.id())
        .bind("state", to.word())
        .bind("explained", explained)
        .bind("now", Bind.time(now))
        .bind("endedAt", to.active() ? null : Bind.time(now))
        .execute();
  }

  @Override
  public Due due(String node, int most) {
    return pool.read(
        Use.CALLER,
        handle -> {
          Instant now = pool.now(handle);
          List<Wanting> first =
              handle
                  .createQuery(
                      """
                      select shard, redrive_id, due_at
                      from penstock.redrive
                      where due_at is not null
                        and (runner is null or runner = :node or runner_until <= :now)
                      order by due_at, redrive_id
                      limit :most
                      """)
                  .bind("node", node)
                  .bind("now", Bind.time(now))
                  .bind("most", most)
                  .map((row, context) ->
                      new Wanting(
                          new RedriveKey(row.getInt("shard"), row.getString("redrive_id")),
                          Bind.instant(row, "due_at")))
                  .list();
          List<RedriveKey> ripe =
              first.stream().filter(w -> !w.dueAt().isAfter(now)).map(Wanting::key).toList();
          Duration next = first.isEmpty() ? NEVER : Duration.between(now, first.getFirst().dueAt());
          return new Due(ripe, next.isNegative() ? Duration.ZERO : next);
        });
  }

  private record Wanting(RedriveKey key, Instant dueAt) {}

  @Override
  public Stepped step(RedriveKey key, String node, RedriveRule rule) {
    return inTransaction(handle -> steps.step(handle, key, node, rule));
  }

  @Override
  public List<Event> events(
      RedriveKey key, @Nullable RedriveOutcome outcome, long after, int limit) {
    return pool.read(
        Use.CALLER,
        handle -> {
          String destination = find(handle, key.id()).orElseThrow().destinationId();
          return handle
              .createQuery(EVENTS)
              .bind("shard", key.shard())
              .bind("redrive", key.id())
              .bind("outcome", outcome == null ? null : outcome.word())
              .bind("after", after)
              .bind("limit", limit)
              .map((row, context) ->
                  new Event(
                      new DeliveryKey(
                          key.shard(), destination, row.getObject("event_id", UUID.class)),
                      row.getLong("dead_letter_no"),
                      row.getLong("lease_no"),
                      RedriveOutcome.ofWord(row.getString("outcome")),
                      row.getString("detail"),
                      Bind.instant(row, "at"),
                      Bind.instantOrNull(row, "ended_at")))
              .list();
        });
  }

  private <T> T inTransaction(Pool.Work<T> work) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          // Everything here goes by key: no plan that reads a table whole, whatever its statistics.
          handle.execute("set local enable_hashjoin = off; set local enable_mergejoin = off");
          return work.with(handle);
        });
  }
}
