package io.penstock.postgres.ledger;

import io.penstock.budget.testing.TestClock;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The pool of the tests of one class. New connections, with nothing planned yet, would be most of
 * the time of most tests, so a pool is kept until another database or number of shards is asked
 * for.
 */
final class SharedPool {
  private static final String EMPTY = Sql.of(SharedPool.class, "empty.sql");

  private static @Nullable SharedPool kept;

  private final DatabaseSettings settings;
  private final int shards;
  private final AtomicReference<TestClock> clock = new AtomicReference<>(new TestClock());
  private final Pool pool;

  private SharedPool(DatabaseSettings settings, int shards) {
    this.settings = settings;
    this.shards = shards;
    this.pool = Pool.open(settings, databaseTime -> clock.get().instant());
  }

  /** A pool on an emptied database with so many shards, from now on at the time of this clock. */
  static synchronized Pool emptied(DatabaseSettings settings, int shards, TestClock clock) {
    SharedPool shared = kept;
    if (shared == null || !shared.settings.equals(settings) || shared.shards != shards) {
      if (shared != null) {
        shared.pool.close();
      }
      shared = new SharedPool(settings, shards);
      kept = shared;
    }
    shared.clock.set(clock);
    shared.pool.transaction(
        Use.CALLER,
        handle -> {
          handle.execute(EMPTY);
          return handle.execute("update penstock.installation set shards = ?", shards);
        });
    return shared.pool;
  }
}
