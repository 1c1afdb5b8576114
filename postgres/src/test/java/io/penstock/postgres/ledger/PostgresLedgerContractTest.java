package io.penstock.postgres.ledger;

import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.redrive.PostgresRedrives;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.testkit.contract.LedgerContract;
import io.penstock.testkit.contract.LedgerUnderTest;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The contract of the ledger, kept by the one on Postgres. */
@PostgresTest
class PostgresLedgerContractTest {
  private final TestDatabase database;
  private final Deque<TestingLedger> opened = new ArrayDeque<>();

  PostgresLedgerContractTest(TestDatabase database) {
    this.database = database;
  }

  @AfterEach
  void close() {
    opened.forEach(TestingLedger::close);
    opened.clear();
  }

  private LedgerUnderTest ledger(DatabaseSettings settings, int shards) {
    TestingLedger made = TestingLedger.bare(settings, shards);
    opened.add(made);
    return new LedgerUnderTest(
        made.ledger(),
        new PostgresRedrives(made.pool(), () -> 0),
        new SqlInspection(made.pool()),
        made.clock());
  }

  @Nested
  class WithOneShard extends LedgerContract {
    @Override
    protected LedgerUnderTest emptyLedger() {
      return ledger(database.settings(), 1);
    }
  }

  @Nested
  class WithFourShards extends LedgerContract {
    @Override
    protected LedgerUnderTest emptyLedger() {
      return ledger(database.settings(), 4);
    }
  }
}
