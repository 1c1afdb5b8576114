package io.penstock.postgres.outbox;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import io.penstock.postgres.ledger.HotPath;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.NullArgument;
import org.jspecify.annotations.Nullable;

/** Shows the refused rows of the outbox, and sends them in again. Safe for use by many threads. */
public final class RefusedRows {
  private static final String PAGE = Sql.of(RefusedRows.class, "refused.sql");
  private static final String AGAIN = Sql.of(RefusedRows.class, "again.sql");

  private final Pool pool;

  public RefusedRows(Pool pool) {
    this.pool = pool;
  }

  /**
   * Rows, newest first, one more than {@code limit} when there are more.
   *
   * @param tenantIds only of these tenants; empty = of any
   * @param before numbers below it; null = from the newest
   */
  public List<RefusedRow> page(Collection<String> tenantIds, @Nullable Long before, int limit) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          return handle
              .createQuery(PAGE)
              .bind("tenants", anyOf(tenantIds))
              .bind("before", before == null ? Long.MAX_VALUE : before)
              .bind("limit", limit + 1)
              .map((row, context) -> view(row))
              .list();
        });
  }

  /** Puts a row back into the outbox; false when there is none such, or not of these tenants. */
  public boolean again(long number, Collection<String> tenantIds, Audit by) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          Optional<String> tenant =
              handle
                  .createQuery(AGAIN)
                  .bind("number", number)
                  .bind("tenants", anyOf(tenantIds))
                  .mapTo(String.class)
                  .findOne();
          tenant.ifPresent(of ->
              AuditLog.write(
                  handle,
                  pool.now(handle),
                  by,
                  AuditLog.Line.of("outbox.retry", Long.toString(number), of)));
          return tenant.isPresent();
        });
  }

  private static Argument anyOf(Collection<String> tenantIds) {
    return tenantIds.isEmpty() ? new NullArgument(Types.ARRAY) : Bind.texts(tenantIds);
  }

  private static RefusedRow view(ResultSet row) throws SQLException {
    return new RefusedRow(
        row.getLong("outbox_no"),
        Bind.instant(row, "enqueued_at"),
        Bind.instant(row, "refused_at"),
        row.getString("tenant_id"),
        row.getString("type"),
        row.getInt("size"),
        row.getString("idempotency_key"),
        Bind.strings(row.getArray("destination_ids")),
        row.getString("reason"),
        row.getString("detail"));
  }
}
