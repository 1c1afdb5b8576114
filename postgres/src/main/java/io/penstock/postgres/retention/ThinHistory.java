package io.penstock.postgres.retention;

import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * Thins points of histories that are older than an age.
 *
 * @param from the span of the points that are taken, seconds
 * @param to the span of what is made of them, seconds
 */
record ThinHistory(int from, int to, Duration age) implements Step {
  private static final String SQL = Sql.of(ThinHistory.class, "thin_history.sql");

  /** Rows of one bite: some tens of milliseconds. */
  private static final int BITE = 5_000;

  @Override
  public String name() {
    return "history_thinned_to_%d_s".formatted(to);
  }

  @Override
  public int bite(Handle handle, Instant now) {
    return handle
        .createQuery(SQL)
        .bind("from", from)
        .bind("to", to)
        .bind("before", Bind.time(now.minus(age)))
        .bind("most", BITE)
        .mapTo(Integer.class)
        .one();
  }
}
