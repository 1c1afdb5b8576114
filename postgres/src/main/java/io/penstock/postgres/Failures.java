package io.penstock.postgres;

import io.penstock.engine.ledger.LedgerException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Tells circumstances from bugs, by SQLSTATE and never by message. */
public final class Failures {
  /** Classes of SQLSTATE that say "not now": none of them is caused by what we asked. */
  private static final Set<String> CIRCUMSTANCES =
      Set.of(
          "08", // connection
          "25", // transaction ended for us: read-only standby, idle too long
          "40", // rolled back: deadlock, serialisation
          "53", // resources: disk, memory, connections
          "55", // lock not available in time, object in use
          "57", // operator: cancelled by time-out, shutting down, starting up
          "58", // the system below Postgres
          "XX"); // Postgres itself

  private Failures() {}

  /** The exception to throw instead of {@code e}. */
  public static RuntimeException translate(RuntimeException e) {
    Optional<SQLException> sql = sql(e);
    if (sql.isPresent() && isCircumstance(sql.get())) {
      String state = sql.get().getSQLState();
      return new LedgerException(
          "the ledger could not answer (SQLSTATE %s): %s".formatted(state, why(sql.get())), e);
    }
    return e;
  }

  /** What the database said, or the network: a pool that waited in vain knows it as its cause. */
  private static String why(SQLException e) {
    return e instanceof SQLTransientConnectionException && e.getCause() instanceof SQLException why
        ? "" + why.getMessage()
        : "" + e.getMessage();
  }

  /** Whether a key was there already. */
  public static boolean isDuplicate(Throwable e) {
    return isState(e, "23505");
  }

  /** Whether a check failed: a constraint's, or that a row has a partition. */
  public static boolean isCheck(Throwable e) {
    return isState(e, "23514");
  }

  private static boolean isState(Throwable e, String state) {
    return sql(e).filter(sql -> state.equals(sql.getSQLState())).isPresent();
  }

  static LedgerException noConnection(Duration waited, int queue) {
    return new LedgerException(
        "no connection to the ledger within %d ms; %d others wait"
            .formatted(waited.toMillis(), queue));
  }

  static LedgerException interrupted(InterruptedException e) {
    return new LedgerException("interrupted while waiting for a connection to the ledger", e);
  }

  private static boolean isCircumstance(SQLException e) {
    String state = e.getSQLState();
    return e instanceof SQLTransientConnectionException
        || (state != null && state.length() == 5 && CIRCUMSTANCES.contains(state.substring(0, 2)));
  }

  private static Optional<SQLException> sql(Throwable e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof SQLException sql) {
        return Optional.of(sql);
      }
    }
    return Optional.empty();
  }
}
