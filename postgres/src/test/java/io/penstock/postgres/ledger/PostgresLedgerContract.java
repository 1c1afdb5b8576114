package io.penstock.postgres.ledger;

import io.penstock.postgres.recurring.PostgresSchedules;
import io.penstock.postgres.redrive.PostgresRedrives;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.testkit.contract.LedgerContract;
import io.penstock.testkit.contract.LedgerUnderTest;

/** The contract of the ledger, kept by the one on Postgres; a class of its own per shard count. */
@PostgresTest
abstract class PostgresLedgerContract extends LedgerContract {
  private final TestDatabase database;
  private final int shards;

  PostgresLedgerContract(TestDatabase database, int shards) {
    this.database = database;
    this.shards = shards;
  }

  @Override
  protected LedgerUnderTest emptyLedger() {
    TestingLedger made = TestingLedger.bare(database.settings(), shards);
    return new LedgerUnderTest(
        made.ledger(),
        new PostgresRedrives(made.pool(), () -> 0),
        new PostgresSchedules(made.pool()),
        new SqlInspection(made.pool()),
        made.clock());
  }
}
