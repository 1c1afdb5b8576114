package io.penstock.postgres.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements and connections that would wait for ever. */
@PostgresTest
@Timeout(60)
class HungQueryTest {
  private final DatabaseSettings settings;

  HungQueryTest(TestDatabase database) {
    settings = database.settings();
  }

  @Test
  @DisplayName("case 47: a claim that hangs ends by its time-out, and the next one goes on")
  void a_hung_claim_ends_and_the_next_one_works() {
    TestingLedger world = TestingLedger.empty(settings, 1);
    try (Handle other = Jdbi.create(settings.url(), settings.user(), settings.password()).open()) {
      Destination destination = world.destination("dst_a");
      world.deliver(destination);
      ClaimRequest request = new ClaimRequest(0, List.of(destination.id()), "node-1", 9, 1 << 20);
      OpenRules rules = new OpenRules(9, Duration.ofSeconds(20));
      other.begin();
      other.execute("lock table penstock.delivery in access exclusive mode");

      assertThatThrownBy(() -> world.ledger().claim(request, rules))
          .isInstanceOf(LedgerException.class);

      other.rollback();
      assertThat(world.ledger().claim(request, rules).leased()).hasSize(1);
    }
  }

  @Test
  @DisplayName("case 47: a database that takes a connection and says nothing holds nobody for ever")
  void a_silent_database_is_given_up() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Pool pool =
            Pool.open(
                DatabaseSettings.direct(
                    "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/none",
                    "nobody",
                    "nothing"))) {
      assertThatThrownBy(() -> pool.read(Use.LOOP, handle -> handle.execute("select 1")))
          .isInstanceOf(LedgerException.class);
    }
  }
}
