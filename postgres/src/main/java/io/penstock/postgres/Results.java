package io.penstock.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.statement.Query;

/** The rows of several statements that were sent together, in one round trip. */
public final class Results {
  private final PreparedStatement statement;
  private boolean begun;

  private Results(PreparedStatement statement) {
    this.statement = statement;
  }

  /** What reads the results, one after the other. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(Results results) throws SQLException;
  }

  /** Sends the statements of {@code query} and reads their results. */
  public static <T> T of(Query query, Reader<T> reader) {
    return query.execute((executed, context) -> reader.read(new Results(executed.get())));
  }

  /** The next result; statements that return no rows are passed over. */
  public ResultSet next() throws SQLException {
    if (!begun) {
      begun = true;
      ResultSet first = statement.getResultSet();
      if (first != null) {
        return first;
      }
    }
    while (!statement.getMoreResults()) {
      if (statement.getUpdateCount() < 0) {
        throw new IllegalStateException("the statements gave fewer results than are read");
      }
    }
    return statement.getResultSet();
  }
}
