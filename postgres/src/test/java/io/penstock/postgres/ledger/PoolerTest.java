package io.penstock.postgres.ledger;

import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.recurring.PostgresSchedules;
import io.penstock.postgres.redrive.PostgresRedrives;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.testkit.contract.LedgerContract;
import io.penstock.testkit.contract.LedgerUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the ledger through PgBouncer in transaction mode, where there is one. */
@PostgresTest
@EnabledIf("io.penstock.postgres.ledger.PgBouncer#isInstalled")
@DisplayName("case 48: behind PgBouncer in transaction mode")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoolerTest extends LedgerContract {
  private final TestDatabase database;
  private @Nullable PgBouncer bouncer;

  PoolerTest(TestDatabase database) {
    this.database = database;
  }

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    bouncer = PgBouncer.start(folder, database);
  }

  @AfterAll
  void stop() {
    if (bouncer != null) {
      bouncer.close();
    }
  }

  @Override
  protected LedgerUnderTest emptyLedger() {
    if (bouncer == null) {
      throw new IllegalStateException("PgBouncer was not started");
    }
    DatabaseSettings pooled =
        new DatabaseSettings(
            bouncer.url(), database.jdbcUrl(), database.user(), database.password(), 10, true);
    TestingLedger made = TestingLedger.bare(pooled, 1);
    return new LedgerUnderTest(
        made.ledger(),
        new PostgresRedrives(made.pool(), () -> 0),
        new PostgresSchedules(made.pool()),
        new SqlInspection(made.pool()),
        made.clock());
  }
}
