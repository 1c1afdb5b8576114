package io.penstock.postgres.embedded;

/**
 * A Postgres that runs, as seen from outside.
 *
 * @param jdbcUrl without user and password
 * @param pid of its postmaster
 */
public record RunningPostgres(String jdbcUrl, String user, String password, long pid) {
  /** Without the password. */
  @Override
  public String toString() {
    return "RunningPostgres[%s, user %s, process %d]".formatted(jdbcUrl, user, pid);
  }
}
