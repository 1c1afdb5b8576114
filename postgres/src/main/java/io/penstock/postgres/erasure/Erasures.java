package io.penstock.postgres.erasure;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Digest;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Plans, starts and shows erasures; {@link ErasureTask} does them. Safe for use by many threads.
 */
public final class Erasures {
  private static final String PLAN = Sql.of(Erasures.class, "plan.sql");

  /** How far a plan counts each kind. */
  private static final int COUNT_BOUND = 100_000;

  /** A confirmation is good for this window and the next. */
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static final int CONFIRMATION_CHARS = 12;
  private static final int MOST_LISTED = 250;

  private final Pool pool;

  public Erasures(Pool pool) {
    this.pool = pool;
  }

  /** Counts what an erasure would delete; empty when there is no such tenant, or no more. */
  public Optional<ErasurePlan> plan(String tenantId) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          handle.execute("set local statement_timeout = '10s'");
          Instant now = pool.now(handle);
          return created(handle, tenantId).map(created -> plan(handle, tenantId, created, now));
        });
  }

  private ErasurePlan plan(Handle handle, String tenantId, Instant created, Instant now) {
    return handle
        .createQuery(PLAN)
        .bind("tenant", tenantId)
        .bind("bound", COUNT_BOUND)
        .map((row, context) -> {
          long waiting = row.getLong("waiting");
          long finished = row.getLong("finished");
          long letters = row.getLong("dead_letters");
          return new ErasurePlan(
              tenantId,
              row.getLong("destinations"),
              waiting,
              finished,
              letters,
              Math.max(Math.max(waiting, finished), letters) >= COUNT_BOUND,
              confirmation(tenantId, created, window(now)));
        })
        .one();
  }

  /** What came of a wish to erase. */
  public sealed interface Start {
    /** It has begun: the tenant takes nothing any more. */
    record Begun(ErasureView erasure) implements Start {}

    /** The confirmation is not that of a plan of the last minutes. */
    record NotConfirmed() implements Start {}

    /** There is no such tenant, or it is being erased already. */
    record NoTenant() implements Start {}
  }

  /** Begins, when {@code confirmation} is that of a plan made within the last minutes. */
  public Start start(String tenantId, String confirmation, Audit by) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Optional<Instant> created = created(handle, tenantId);
          Instant now = pool.now(handle);
          if (created.isEmpty()) {
            return new Start.NoTenant();
          }
          if (!isConfirmed(tenantId, created.get(), now, confirmation)) {
            return new Start.NotConfirmed();
          }
          return begin(handle, tenantId, by, now);
        });
  }

  private static Start begin(Handle handle, String tenantId, Audit by, Instant now) {
    handle
        .createUpdate(
            """
            update penstock.tenant set erased_at = :now
            where tenant_id = :tenant and erased_at is null
            """)
        .bind("now", Bind.time(now))
        .bind("tenant", tenantId)
        .execute();
    int begun =
        handle
            .createUpdate(
                """
                insert into penstock.erasure (tenant_id, actor, reason, started_at)
                values (:tenant, :actor, :reason, :now)
                on conflict do nothing
                """)
            .bind("tenant", tenantId)
            .bind("actor", by.actor())
            .bind("reason", by.reason())
            .bind("now", Bind.time(now))
            .execute();
    if (begun == 0) {
      return new Start.NoTenant();
    }
    // Of no tenant, so that it stays.
    AuditLog.write(handle, now, by, "tenant.erase", tenantId);
    return new Start.Begun(list(handle, tenantId).getFirst());
  }

  /** All erasures, newest first. */
  public List<ErasureView> list() {
    return pool.read(Use.CALLER, handle -> list(handle, null));
  }

  static List<ErasureView> list(Handle handle, @Nullable String tenantId) {
    return handle
        .createQuery(
            """
            select erasure_no, tenant_id, actor, reason, started_at, done_at, dead_letters,
              deliveries, attempts, events, idempotency_keys, audit_lines
            from penstock.erasure
            where cast(:tenant as text) is null or tenant_id = :tenant
            order by erasure_no desc
            limit :most
            """)
        .bind("tenant", tenantId)
        .bind("most", MOST_LISTED)
        .map((row, context) -> view(row))
        .list();
  }

  private static ErasureView view(ResultSet row) throws SQLException {
    return new ErasureView(
        row.getLong("erasure_no"),
        row.getString("tenant_id"),
        row.getString("actor"),
        row.getString("reason"),
        Bind.instant(row, "started_at"),
        Bind.instantOrNull(row, "done_at"),
        row.getLong("dead_letters"),
        row.getLong("deliveries"),
        row.getLong("attempts"),
        row.getLong("events"),
        row.getLong("idempotency_keys"),
        row.getLong("audit_lines"));
  }

  private static Optional<Instant> created(Handle handle, String tenantId) {
    return handle
        .createQuery(
            """
            select created_at from penstock.tenant
            where tenant_id = :tenant and erased_at is null
            """)
        .bind("tenant", tenantId)
        .map((row, context) -> Bind.instant(row, "created_at"))
        .findOne();
  }

  private static boolean isConfirmed(
      String tenantId, Instant created, Instant now, String confirmation) {
    long window = window(now);
    return confirmation.equals(confirmation(tenantId, created, window))
        || confirmation.equals(confirmation(tenantId, created, window - 1));
  }

  private static long window(Instant now) {
    return now.getEpochSecond() / WINDOW.toSeconds();
  }

  /** No secret: it says that somebody has just read what would go. */
  private static String confirmation(String tenantId, Instant created, long window) {
    String text = "erase %s %s %d".formatted(tenantId, created, window);
    return HexFormat.of()
        .formatHex(Digest.sha256(text.getBytes(StandardCharsets.UTF_8)))
        .substring(0, CONFIRMATION_CHARS);
  }
}
