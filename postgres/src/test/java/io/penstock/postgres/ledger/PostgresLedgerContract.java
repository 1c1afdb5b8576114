package io.penstock.postgres.ledger;

import io.penstock.postgres.redrive.PostgresRedrives;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.testkit.contract.LedgerContract;
import io.penstock.testkit.contract.LedgerUnderTest;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;

/** The contract of the ledger, kept by the one on Postgres; a class of its own per shard count. */
@PostgresTest
abstract class PostgresLedgerContract extends LedgerContract {
  private final TestDatabase database;
  private final int shards;
  private final Deque<TestingLedger> opened = new ArrayDeque<>();

  PostgresLedgerContract(TestDatabase database, int shards) {
    this.database = database;
    this.shards = shards;
  }

  @AfterEach
  void close() {
    opened.forEach(TestingLedger::close);
    opened.clear();
  }

  @Override
  protected LedgerUnderTest emptyLedger() {
    TestingLedger made = TestingLedger.bare(database.settings(), shards);
    opened.add(made);
    return new LedgerUnderTest(
        made.ledger(),
        new PostgresRedrives(made.pool(), () -> 0),
        new SqlInspection(made.pool()),
        made.clock());
  }
}
