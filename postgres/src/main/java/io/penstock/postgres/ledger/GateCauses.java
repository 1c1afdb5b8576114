package io.penstock.postgres.ledger;

import io.penstock.engine.destination.GateAction;
import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Bind;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * Who closed each gate that is closed, when and why: written in the transaction that closes it,
 * under the lock of the gate's row, and gone when it is opened.
 */
final class GateCauses {
  private GateCauses() {}

  static void write(Handle handle, GateTable table, GateAction action, Audit by, Instant now) {
    if (GateFlags.reopens(action)) {
      handle
          .createUpdate(
              """
              delete from penstock.gate_cause
              where scope = :scope and subject = :subject and flag = :flag
              """)
          .bind("scope", table.scope())
          .bind("subject", table.name())
          .bind("flag", flag(action))
          .execute();
      return;
    }
    handle
        .createUpdate(
            """
            insert into penstock.gate_cause (scope, subject, flag, at, actor, reason)
            values (:scope, :subject, :flag, :at, :actor, :reason)
            on conflict (scope, subject, flag) do update
            set at = excluded.at, actor = excluded.actor, reason = excluded.reason
            """)
        .bind("scope", table.scope())
        .bind("subject", table.name())
        .bind("flag", flag(action))
        .bind("at", Bind.time(now))
        .bind("actor", by.actor())
        .bind("reason", by.reason())
        .execute();
  }

  private static String flag(GateAction action) {
    return switch (action) {
      case PAUSE, RESUME -> "paused";
      case HOLD, RELEASE -> "held";
      case DISABLE, ENABLE -> "disabled";
    };
  }
}
