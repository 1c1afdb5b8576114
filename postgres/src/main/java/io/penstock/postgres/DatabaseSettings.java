package io.penstock.postgres;

/**
 * How to reach the database.
 *
 * @param url a JDBC URL without credentials; may lead through PgBouncer in transaction mode
 * @param directUrl a JDBC URL straight to Postgres, for LISTEN and migrations; often the same
 * @param connections size of the pool, 2 or more
 * @param pooled whether {@code url} leads through a pooler that knows no prepared statements
 */
public record DatabaseSettings(
    String url, String directUrl, String user, String password, int connections, boolean pooled) {

  /** Straight to Postgres with a pool of the default size. */
  public static DatabaseSettings direct(String url, String user, String password) {
    return new DatabaseSettings(url, url, user, password, DEFAULT_CONNECTIONS, false);
  }

  /** Enough for one claimer, one settler, and some callers of the API at once. */
  public static final int DEFAULT_CONNECTIONS = 10;

  public DatabaseSettings {
    if (connections < 2) {
      throw new IllegalArgumentException(
          "connections: got %d, wanted 2 or more".formatted(connections));
    }
  }

  @Override
  public String toString() {
    return "DatabaseSettings[%s, direct %s, user %s]".formatted(url, directUrl, user);
  }
}
