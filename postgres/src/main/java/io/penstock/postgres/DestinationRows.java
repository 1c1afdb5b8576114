package io.penstock.postgres;

import io.penstock.engine.destination.Destination;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/** Reads destinations. */
public final class DestinationRows {
  private DestinationRows() {}

  /** The destination of a row that has all its configuration columns. */
  public static Destination read(ResultSet row) throws SQLException {
    return new Destination(
        row.getString("destination_id"),
        row.getInt("shard"),
        row.getString("tenant_id"),
        Destination.Mode.valueOf(row.getString("mode").toUpperCase(Locale.ROOT)),
        row.getString("url"),
        Headers.parse(row.getString("headers")),
        Bind.strings(row.getArray("secrets")),
        row.getString("budget_id"),
        row.getLong("config_no"));
  }
}
