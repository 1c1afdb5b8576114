package io.penstock.postgres.audit;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** The one writer of the audit: in the transaction that does what it tells. */
public final class AuditLog {
  private AuditLog() {}

  /**
   * Writes one line.
   *
   * @param action a word of the form {@code thing.verb}
   * @param subject the id of what was acted on
   */
  public static void write(Handle handle, Instant at, Audit by, String action, String subject) {
    write(handle, at, by, action, subject, "");
  }

  /**
   * Writes one line with a detail, for instance of which kind the subject is.
   *
   * @param detail empty = nothing more to say
   */
  public static void write(
      Handle handle, Instant at, Audit by, String action, String subject, String detail) {
    handle
        .createUpdate(
            """
            insert into penstock.audit (at, actor, action, subject, reason, detail)
            values (:at, :actor, :action, :subject, :reason, :detail)
            """)
        .bind("at", Bind.time(at))
        .bind("actor", by.actor())
        .bind("action", action)
        .bind("subject", subject)
        .bind("reason", by.reason())
        .bind("detail", detail)
        .execute();
  }
}
