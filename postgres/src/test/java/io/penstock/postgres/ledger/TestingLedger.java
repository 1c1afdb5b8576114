package io.penstock.postgres.ledger;

import io.penstock.budget.testing.TestClock;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;

/** A ledger without rows on the test clock. Close the pool when done. */
record TestingLedger(PostgresLedger ledger, Pool pool, TestClock clock) implements AutoCloseable {

  /** Empties the database and gives it so many shards. */
  static TestingLedger empty(DatabaseSettings settings, int shards) {
    TestClock clock = new TestClock();
    Pool pool = Pool.open(settings, databaseTime -> clock.instant());
    pool.transaction(
        Use.CALLER,
        handle -> {
          handle.execute(
              """
              truncate penstock.event, penstock.event_kept, penstock.idempotency,
                penstock.delivery, penstock.delivery_done, penstock.attempt, penstock.dead_letter,
                penstock.budget, penstock.subscription, penstock.destination, penstock.tenant,
                penstock.audit, penstock.api_key, penstock.node
              restart identity
              """);
          return handle.execute(
              """
              update penstock.installation
              set shards = ?, changes = 0, disabled = false, paused = false, held = false,
                gate_no = 0, reopened_at = null
              """,
              shards);
        });
    return new TestingLedger(PostgresLedger.open(pool), pool, clock);
  }

  @Override
  public void close() {
    pool.close();
  }
}
