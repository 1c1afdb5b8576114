package io.penstock.postgres.retention;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * Takes lines of the audit whose time is over, and leaves a line that says so. Needs a role that
 * may; the service's own may not.
 */
record AuditLines(Duration keep) implements Step {
  private static final String SQL = Sql.of(AuditLines.class, "audit_lines.sql");

  /** Lines of one bite. */
  private static final int BITE = 1_000;

  private static final Audit BY = new Audit("retention", "the time that the audit is kept is over");

  /** What a bite took. */
  private record Taken(int lines, long firstNo, long lastNo) {
    static Taken read(ResultSet row) throws SQLException {
      return new Taken(row.getInt("lines"), row.getLong("first_no"), row.getLong("last_no"));
    }
  }

  @Override
  public String name() {
    return "audit_lines";
  }

  @Override
  public int bite(Handle handle, Instant now) {
    if (!mayDelete(handle)) {
      return 0;
    }
    return handle.inTransaction(tx -> {
      tx.execute("set local penstock.maintenance = 'audit'");
      Instant before = now.minus(keep);
      Taken taken =
          tx.createQuery(SQL)
              .bind("before", Bind.time(before))
              .bind("most", BITE)
              .map((row, context) -> Taken.read(row))
              .one();
      if (taken.lines() > 0) {
        String detail =
            "%d lines from before %s, numbers %d to %d"
                .formatted(taken.lines(), before, taken.firstNo(), taken.lastNo());
        AuditLog.write(tx, now, BY, new AuditLog.Line("audit.expire", "audit", null, detail));
      }
      return taken.lines();
    });
  }

  private static boolean mayDelete(Handle handle) {
    return handle
        .createQuery("select has_table_privilege('penstock.audit', 'delete')")
        .mapTo(Boolean.class)
        .one();
  }
}
