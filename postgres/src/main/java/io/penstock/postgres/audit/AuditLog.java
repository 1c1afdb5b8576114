package io.penstock.postgres.audit;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The one writer of the audit: in the transaction that does what it tells. */
public final class AuditLog {
  private AuditLog() {}

  /**
   * What was done.
   *
   * @param action a word of the form {@code thing.verb}
   * @param subject the id of what was acted on
   * @param tenantId whose it is; null = of no tenant, or of several
   * @param detail more for people, for instance counts and conditions; empty = nothing more
   */
  public record Line(String action, String subject, @Nullable String tenantId, String detail) {
    /** A line without more to say. */
    public static Line of(String action, String subject, @Nullable String tenantId) {
      return new Line(action, subject, tenantId, "");
    }
  }

  /**
   * Writes one line about something of no tenant.
   *
   * @param action a word of the form {@code thing.verb}
   * @param subject the id of what was acted on
   */
  public static void write(Handle handle, Instant at, Audit by, String action, String subject) {
    write(handle, at, by, Line.of(action, subject, null));
  }

  /** Writes one line. */
  public static void write(Handle handle, Instant at, Audit by, Line line) {
    handle
        .createUpdate(
            """
            insert into penstock.audit (at, actor, action, subject, reason, tenant_id, detail)
            values (:at, :actor, :action, :subject, :reason, :tenant, :detail)
            """)
        .bind("at", Bind.time(at))
        .bind("actor", by.actor())
        .bind("action", line.action())
        .bind("subject", line.subject())
        .bind("reason", by.reason())
        .bind("tenant", line.tenantId())
        .bind("detail", line.detail())
        .execute();
  }

  /** Writes one line about something of a destination, whose tenant is looked up. */
  public static void writeOf(
      Handle handle,
      Instant at,
      Audit by,
      String action,
      String subject,
      int shard,
      String destinationId) {
    write(handle, at, by, Line.of(action, subject, tenantOf(handle, shard, destinationId)));
  }

  /** The tenant of a destination; null when there is none such. */
  public static @Nullable String tenantOf(Handle handle, int shard, String destinationId) {
    return handle
        .createQuery(
            """
            select tenant_id from penstock.destination
            where shard = :shard and destination_id = :destination
            """)
        .bind("shard", shard)
        .bind("destination", destinationId)
        .mapTo(String.class)
        .findOne()
        .orElse(null);
  }
}
