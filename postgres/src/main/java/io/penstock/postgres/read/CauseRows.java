package io.penstock.postgres.read;

import io.penstock.engine.destination.Gate;
import io.penstock.postgres.Bind;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads who closed gates. */
final class CauseRows {
  private CauseRows() {}

  /** The causes of the gate of everything, and of a tenant's and a destination's unless null. */
  static List<CauseView> of(
      Handle handle, @Nullable String tenantId, @Nullable String destinationId) {
    return handle
        .createQuery(
            """
            select scope, subject, flag, at, actor, reason
            from penstock.gate_cause
            where (scope = 'everything' and subject = 'everything')
              or (scope = 'tenant' and subject = :tenant)
              or (scope = 'destination' and subject = :destination)
            order by scope, subject, flag
            """)
        .bind("tenant", tenantId)
        .bind("destination", destinationId)
        .map((row, context) ->
            new CauseView(
                row.getString("scope"),
                row.getString("subject"),
                Gate.Closed.valueOf(row.getString("flag").toUpperCase(Locale.ROOT)),
                Bind.instant(row, "at"),
                row.getString("actor"),
                row.getString("reason")))
        .list();
  }
}
