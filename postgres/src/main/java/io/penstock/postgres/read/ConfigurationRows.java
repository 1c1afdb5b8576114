package io.penstock.postgres.read;

import io.penstock.budget.BudgetState;
import io.penstock.postgres.Bind;
import io.penstock.postgres.DestinationRows;
import io.penstock.postgres.ledger.GateRows;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads tenants, destinations and gates. */
final class ConfigurationRows {
  private ConfigurationRows() {}

  static TenantView tenant(ResultSet row) throws SQLException {
    return new TenantView(
        row.getString("tenant_id"),
        row.getString("name"),
        Bind.instant(row, "created_at"),
        gate(row));
  }

  static GateView gate(ResultSet row) throws SQLException {
    return new GateView(
        row.getBoolean("disabled"),
        row.getBoolean("paused"),
        row.getBoolean("held"),
        row.getLong("gate_no"),
        Bind.instantOrNull(row, "reopened_at"));
  }

  static DestinationView destination(ResultSet row) throws SQLException {
    return new DestinationView(
        DestinationRows.read(row),
        Bind.instant(row, "created_at"),
        new GateView(
            row.getBoolean("own_disabled"),
            row.getBoolean("own_paused"),
            row.getBoolean("own_held"),
            row.getLong("own_gate_no"),
            Bind.instantOrNull(row, "own_reopened_at")),
        GateRows.inForce(row),
        BudgetState.decode(row.getString("budget_state")));
  }
}
