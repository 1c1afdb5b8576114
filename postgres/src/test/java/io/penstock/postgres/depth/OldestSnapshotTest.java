package io.penstock.postgres.depth;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@PostgresTest
class OldestSnapshotTest {
  private final TestDatabase database;

  OldestSnapshotTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  @DisplayName("case 41: how long the oldest transaction has kept its snapshot can be seen")
  void case41_the_age_of_the_horizon_is_sampled() throws SQLException {
    TestingLedger world = TestingLedger.empty(database.settings(), 1);
    try (Connection elsewhere = database.dataSource().getConnection();
        Statement statement = elsewhere.createStatement()) {
      DepthSampler sampler = new DepthSampler(world.pool(), () -> 0);
      elsewhere.setAutoCommit(false);
      elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("select pg_sleep(0.05)");

      assertThat(sampler.runOnce(Duration.ofSeconds(1))).isTrue();
      Duration held = sampler.latest().oldestSnapshot();
      assertThat(held).isGreaterThan(Duration.ofMillis(49));

      elsewhere.rollback();
      sampler.runOnce(Duration.ofSeconds(1));
      assertThat(sampler.latest().oldestSnapshot()).isLessThan(held);
    }
  }
}
