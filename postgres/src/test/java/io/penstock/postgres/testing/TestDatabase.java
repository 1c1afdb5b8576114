package io.penstock.postgres.testing;

import io.penstock.postgres.DatabaseSettings;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of one test class. Safe for use by many threads. */
public record TestDatabase(String name, String jdbcUrl, String user, String password) {

  /** How a pool reaches it. */
  public DatabaseSettings settings() {
    return DatabaseSettings.direct(jdbcUrl, user, password);
  }

  /** Opens a new connection each time; wants no closing. */
  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl);
    source.setUser(user);
    source.setPassword(password);
    return source;
  }
}
