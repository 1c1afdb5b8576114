package io.penstock.postgres.erasure;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Ledger;
import io.penstock.postgres.Bind;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Failures;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import io.penstock.postgres.shelf.ShelfRemoval;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Does the erasures that were begun: shuts the tenant's destinations, then deletes in small bites,
 * and begins again from the start until a whole pass finds nothing. What is being sent just now is
 * waited for. Leaves the ids of tenant and destinations, which stay taken, and a tombstone in the
 * audit. Works as the owner of the tables; of several nodes one at a time. Used by one thread.
 */
public final class ErasureTask {
  private static final String WAITING = Sql.of(ErasureTask.class, "waiting.sql");
  private static final String FINISHED = Sql.of(ErasureTask.class, "finished.sql");
  private static final String REDRIVEN = Sql.of(ErasureTask.class, "redriven.sql");
  private static final String ATTEMPTS = Sql.of(ErasureTask.class, "attempts.sql");
  private static final String EVENTS = Sql.of(ErasureTask.class, "events.sql");
  private static final String KEPT = Sql.of(ErasureTask.class, "kept_events.sql");
  private static final String RUNS = Sql.of(ErasureTask.class, "complete_runs.sql");
  private static final String LEASES = Sql.of(ErasureTask.class, "tube_leases.sql");
  private static final String SCHEDULES = Sql.of(ErasureTask.class, "schedules.sql");
  private static final String FIRINGS = Sql.of(ErasureTask.class, "firings.sql");
  private static final String ROLLUPS = Sql.of(ErasureTask.class, "rollups.sql");
  private static final String HISTORY = Sql.of(ErasureTask.class, "history.sql");
  private static final String OUTBOX = Sql.of(ErasureTask.class, "outbox.sql");
  private static final String REFUSED = Sql.of(ErasureTask.class, "outbox_refused.sql");
  private static final String KEYS = Sql.of(ErasureTask.class, "keys.sql");

  /** Rows of one bite. */
  private static final int BITE = 1_000;

  /** Events that are looked at in one bite: they have no index by tenant. */
  private static final int LOOKED_AT = 5_000;

  private static final UUID FIRST = new UUID(0, 0);

  private final DatabaseSettings settings;
  private final Pool pool;
  private final Ledger ledger;
  private final LongSupplier nanoClock;

  /** Where the look through the events is, by tenant and table. */
  private final Map<String, Place> places = new HashMap<>();

  private record Place(int shard, UUID eventId) {}

  /**
   * A task for one role.
   *
   * @param settings how to reach Postgres as the owner of the tables
   */
  public ErasureTask(DatabaseSettings settings, Pool pool, Ledger ledger, LongSupplier nanoClock) {
    this.settings = settings;
    this.pool = pool;
    this.ledger = ledger;
    this.nanoClock = nanoClock;
  }

  /**
   * Works for about {@code budget}; how many rows it deleted.
   *
   * @throws io.penstock.engine.ledger.LedgerException if the database cannot answer now
   */
  public long runOnce(Duration budget) {
    long until = nanoClock.getAsLong() + budget.toNanos();
    List<ErasureView> running =
        pool.read(Use.CALLER, handle -> Erasures.list(handle, null)).stream()
            .filter(one -> one.doneAt() == null)
            .toList();
    if (running.isEmpty()) {
      return 0;
    }
    try (Handle handle =
        Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open()) {
      handle.execute("set lock_timeout = '2s'");
      handle.execute("set statement_timeout = '60s'");
      long deleted = 0;
      if (isAlone(handle)) {
        for (ErasureView one : running) {
          deleted += erase(handle, one, until);
        }
      }
      return deleted;
    } catch (RuntimeException e) {
      throw Failures.translate(e);
    }
  }

  private static boolean isAlone(Handle handle) {
    return handle
        .createQuery("select pg_try_advisory_lock(hashtext('penstock.erasure'))")
        .mapTo(Boolean.class)
        .one();
  }

  /** One bite of what is deleted. */
  @FunctionalInterface
  private interface Bite {
    Taken take();
  }

  /** What a bite took, and whether there may be more. */
  private record Taken(int rows, boolean more) {
    static Taken of(int rows) {
      return new Taken(rows, rows > 0);
    }
  }

  private long erase(Handle handle, ErasureView erasure, long until) {
    String tenant = erasure.tenantId();
    List<String> destinations = shut(handle, erasure);
    long deleted = 0;
    // First, or they would go on. Counted nowhere: they are configuration.
    deleted += all(handle, erasure, "firings", until, () -> ofSchedules(handle, tenant, FIRINGS));
    deleted +=
        all(handle, erasure, "schedules", until, () -> ofSchedules(handle, tenant, SCHEDULES));
    deleted += all(handle, erasure, "idempotency_keys", until, () -> keys(handle, tenant));
    // Counted nowhere: they became no event.
    deleted += all(handle, erasure, "outbox", until, () -> rows(handle, OUTBOX, tenant));
    deleted += all(handle, erasure, "outbox", until, () -> rows(handle, REFUSED, tenant));
    for (int shard = 0; shard < pool.shards(); shard++) {
      int of = shard;
      deleted += all(handle, erasure, "dead_letters", until, () -> letters(handle, of, tenant));
    }
    for (String id : destinations) {
      int shard = Shard.of(id, pool.shards());
      deleted += all(handle, erasure, "deliveries", until, () -> bite(handle, WAITING, shard, id));
      deleted += all(handle, erasure, "deliveries", until, () -> bite(handle, FINISHED, shard, id));
      deleted += all(handle, erasure, "attempts", until, () -> bite(handle, ATTEMPTS, shard, id));
      // Counted nowhere: they say again what became of deliveries.
      deleted += all(handle, erasure, "redriven", until, () -> bite(handle, REDRIVEN, shard, id));
      deleted += all(handle, erasure, "runs", until, () -> bite(handle, RUNS, shard, id));
      deleted += all(handle, erasure, "leases", until, () -> bite(handle, LEASES, shard, id));
      deleted += all(handle, erasure, "rollups", until, () -> bite(handle, ROLLUPS, shard, id));
      deleted += all(handle, erasure, "history", until, () -> bite(handle, HISTORY, shard, id));
    }
    deleted += all(handle, erasure, "events", until, () -> events(handle, tenant, "event", EVENTS));
    deleted += all(handle, erasure, "events", until, () -> events(handle, tenant, "kept", KEPT));
    boolean through = nanoClock.getAsLong() < until;
    if (deleted == 0 && through && !isAnythingSent(handle, tenant)) {
      end(handle, erasure);
    }
    return deleted;
  }

  private long all(Handle handle, ErasureView erasure, String kind, long until, Bite bite) {
    long sum = 0;
    boolean more = true;
    while (more && nanoClock.getAsLong() < until) {
      Taken taken = bite.take();
      sum += taken.rows();
      more = taken.more();
    }
    if (sum > 0) {
      note(handle, erasure, kind, sum);
    }
    return sum;
  }

  /** The columns are these words and no others. */
  private static void note(Handle handle, ErasureView erasure, String kind, long more) {
    handle
        .createUpdate(
            """
            update penstock.erasure
            set dead_letters = dead_letters + case :kind when 'dead_letters' then :more else 0 end,
              deliveries = deliveries + case :kind when 'deliveries' then :more else 0 end,
              attempts = attempts + case :kind when 'attempts' then :more else 0 end,
              events = events + case :kind when 'events' then :more else 0 end,
              idempotency_keys = idempotency_keys
                + case :kind when 'idempotency_keys' then :more else 0 end
            where erasure_no = :number
            """)
        .bind("kind", kind)
        .bind("more", more)
        .bind("number", erasure.erasureNo())
        .execute();
  }

  /** Closes its destinations for good; their ids. */
  private List<String> shut(Handle handle, ErasureView erasure) {
    List<String> ids =
        handle
            .createQuery(
                """
                select destination_id from penstock.destination
                where tenant_id = :tenant
                order by destination_id
                """)
            .bind("tenant", erasure.tenantId())
            .mapTo(String.class)
            .list();
    Audit by = new Audit(erasure.actor(), "erasure: " + erasure.reason());
    ids.forEach(id -> ledger.deleteDestination(id, by));
    return ids;
  }

  private Taken keys(Handle handle, String tenant) {
    return Taken.of(
        handle
            .createUpdate(KEYS)
            .bind("shard", Shard.of(tenant, pool.shards()))
            .bind("tenant", tenant)
            .bind("most", BITE)
            .execute());
  }

  private static Taken ofSchedules(Handle handle, String tenant, String sql) {
    return rows(handle, sql, tenant);
  }

  private static Taken rows(Handle handle, String sql, String tenant) {
    return Taken.of(handle.createUpdate(sql).bind("tenant", tenant).bind("most", BITE).execute());
  }

  private static Taken letters(Handle handle, int shard, String tenant) {
    return Taken.of(ShelfRemoval.ofTenant(handle, shard, tenant, BITE));
  }

  private static Taken bite(Handle handle, String sql, int shard, String destination) {
    return Taken.of(
        handle
            .createUpdate(sql)
            .bind("shard", shard)
            .bind("destination", destination)
            .bind("most", BITE)
            .execute());
  }

  /** Goes through all events in key order, once. */
  private Taken events(Handle handle, String tenant, String table, String sql) {
    String key = table + "/" + tenant;
    Place at = places.getOrDefault(key, new Place(-1, FIRST));
    record Looked(int deleted, Place last) {}
    Optional<Looked> looked =
        handle
            .createQuery(sql)
            .bind("tenant", tenant)
            .bind("afterShard", at.shard())
            .bind("after", at.eventId())
            .bind("most", LOOKED_AT)
            .map((row, context) ->
                new Looked(
                    row.getInt("deleted"),
                    new Place(row.getInt("shard"), row.getObject("event_id", UUID.class))))
            .findOne();
    return looked
        .map(one -> {
          places.put(key, one.last());
          return new Taken(one.deleted(), true);
        })
        .orElseGet(() -> {
          places.remove(key);
          return new Taken(0, false);
        });
  }

  private static boolean isAnythingSent(Handle handle, String tenant) {
    return handle
        .createQuery(
            """
            select exists (
              select
              from penstock.destination o
              join penstock.delivery d
                on d.shard = o.shard and d.destination_id = o.destination_id
              where o.tenant_id = :tenant)
            """)
        .bind("tenant", tenant)
        .mapTo(Boolean.class)
        .one();
  }

  /** Scrubs what stays, and says so. */
  private void end(Handle handle, ErasureView erasure) {
    Instant now = pool.now(handle);
    handle.useTransaction(tx -> {
      tx.execute("set local penstock.maintenance = 'audit'");
      String tenant = erasure.tenantId();
      tx.execute(
          """
          update penstock.destination set url = '', headers = '', secrets = '{}'
          where tenant_id = ?
          """,
          tenant);
      tx.execute("update penstock.tenant set name = '(erased)' where tenant_id = ?", tenant);
      tx.execute("delete from penstock.redrive where tenant_id = ?", tenant);
      tx.execute("delete from penstock.notice where tenant_id = ?", tenant);
      tx.createUpdate(
              """
              update penstock.api_key set revoked_at = :now
              where revoked_at is null and tenant_ids = array[cast(:tenant as text)]
              """)
          .bind("now", Bind.time(now))
          .bind("tenant", tenant)
          .execute();
      int lines = tx.execute("delete from penstock.audit where tenant_id = ?", tenant);
      tx.createUpdate(
              """
              update penstock.erasure set done_at = :now, audit_lines = :lines
              where erasure_no = :number
              """)
          .bind("now", Bind.time(now))
          .bind("lines", lines)
          .bind("number", erasure.erasureNo())
          .execute();
      ErasureView done = Erasures.list(tx, tenant).getFirst();
      String detail =
          "%d dead letters, %d deliveries, %d attempts, %d events, %d keys, %d lines of the audit"
              .formatted(
                  done.deadLetters(),
                  done.deliveries(),
                  done.attempts(),
                  done.events(),
                  done.idempotencyKeys(),
                  done.auditLines());
      AuditLog.write(
          tx,
          now,
          new Audit(erasure.actor(), erasure.reason()),
          new AuditLog.Line("tenant.erased", tenant, null, detail));
    });
  }
}
