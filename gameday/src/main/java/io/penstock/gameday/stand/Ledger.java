package io.penstock.gameday.stand;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** Looks into the database with statements of its own: an auditor does not ask the audited. */
public final class Ledger {
  /** Events whose deliveries are leased. */
  public static final String LEASED =
      "select event_id from penstock.delivery where state = 'leased'";

  /** Events whose deliveries are leased, or were and wait for another try. */
  public static final String UNSETTLED =
      "select event_id from penstock.delivery where state = 'leased' or lease_no > 0";

  /** Events that were sent and not answered in time: they may have arrived. */
  public static final String TIMED_OUT =
      "select event_id from penstock.attempt where outcome = 'unknown' and detail <> 'lease_lost'";

  /** Events with a lease that ran out. */
  public static final String LEASE_LOST =
      "select event_id from penstock.attempt where outcome = 'unknown' and detail = 'lease_lost'";

  private final String url;
  private final String user;
  private final String password;

  public Ledger(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /** Another database of the same Postgres. */
  public Ledger of(String name) {
    return new Ledger(url.replaceFirst("/[^/]*$", "/" + name), user, password);
  }

  public String url() {
    return url;
  }

  public String user() {
    return user;
  }

  public String password() {
    return password;
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url, user, password);
  }

  /** Runs a statement with whole numbers for its parameters. */
  public void execute(String sql, long... values) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setLong(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  /** The first column of all rows, as text. */
  public Set<String> texts(String sql) throws SQLException {
    Set<String> found = new HashSet<>();
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  /** One whole number. */
  public long number(String sql) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Deliveries that have not ended. */
  public long open() throws SQLException {
    return number("select count(*) from penstock.delivery");
  }

  /** Bytes of write-ahead log since the database was made. */
  public long walBytes() throws SQLException {
    return number("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint");
  }
}
