package io.penstock.postgres.ledger;

import io.penstock.engine.destination.Gate;
import io.penstock.postgres.Bind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads gates from rows of the view {@code penstock.gate}. */
public final class GateRows {
  private GateRows() {}

  /** The gate in force of a destination; empty when there is no such destination. */
  public static Optional<Gate> find(Handle handle, int shard, String destinationId) {
    return handle
        .createQuery(
            """
            select gate_no, deleted, disabled, paused, held, reopened_at
            from penstock.gate
            where shard = :shard and destination_id = :destination
            """)
        .bind("shard", shard)
        .bind("destination", destinationId)
        .map((row, context) -> inForce(row))
        .findOne();
  }

  /** The gate in force. */
  public static Gate inForce(ResultSet row) throws SQLException {
    return new Gate(row.getLong("gate_no"), closed(row), Bind.instantOrNull(row, "reopened_at"));
  }

  /** Why nothing may go, in the order in which the reasons are shown; null = open. */
  public static Gate.@Nullable Closed closed(ResultSet row) throws SQLException {
    if (row.getBoolean("deleted")) {
      return Gate.Closed.DELETED;
    }
    if (row.getBoolean("disabled")) {
      return Gate.Closed.DISABLED;
    }
    if (row.getBoolean("paused")) {
      return Gate.Closed.PAUSED;
    }
    return row.getBoolean("held") ? Gate.Closed.HELD : null;
  }
}
