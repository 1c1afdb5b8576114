package io.penstock.postgres.ledger;

import io.penstock.engine.destination.Gate;
import io.penstock.postgres.Bind;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads gates from rows of the view {@code penstock.gate}. */
public final class GateRows {
  private GateRows() {}

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
