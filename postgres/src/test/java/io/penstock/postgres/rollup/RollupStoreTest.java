package io.penstock.postgres.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.engine.rollup.Rollup;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.retention.Retention;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Minutes are added up, whoever counted them. */
@PostgresTest
class RollupStoreTest {
  private final DatabaseSettings settings;
  private TestingLedger world;
  private RollupStore store;
  private Instant minute;

  RollupStoreTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  void begin() {
    world = TestingLedger.empty(settings, 4);
    store = new RollupStore(world.pool());
    minute = world.clock().instant().truncatedTo(ChronoUnit.MINUTES);
  }

  private Rollup counted(String id, int admitted, @Nullable Long waiting, @Nullable Double rate) {
    return new Rollup(
        id, minute, admitted, 2, Map.of("delivered", 1, "ours", 1), waiting, null, rate);
  }

  private List<String> rows() {
    return world
        .pool()
        .read(
            Use.CALLER,
            handle ->
                handle
                    .createQuery(
                        """
                        select concat_ws(' ', destination_id, admitted, sent, delivered, throttled,
                          ours, coalesce(waiting, -1), coalesce(rate, -1))
                        from penstock.rollup
                        order by destination_id, minute
                        """)
                    .mapTo(String.class)
                    .list());
  }

  @Test
  void what_two_nodes_counted_in_one_minute_is_one_row() {
    store.add(List.of(counted("dst_b", 3, 7L, 25.0), counted("dst_a", 1, null, null)));
    store.add(List.of(counted("dst_a", 1, 9L, 50.0), counted("dst_b", 4, null, null)));
    assertThat(rows()).containsExactly("dst_a 2 4 2 0 2 9 50", "dst_b 7 4 2 0 2 7 25");
  }

  @Test
  void many_nodes_that_add_at_once_lose_nothing_and_do_not_wait_in_a_ring() {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          List<Rollup> rows = List.of(counted("dst_a", 1, 1L, 1.0), counted("dst_b", 1, 1L, 1.0));
          store.add(i % 2 == 0 ? rows : rows.reversed());
        });
    assertThat(rows()).containsExactly("dst_a 40 80 40 0 40 1 1", "dst_b 40 80 40 0 40 1 1");
  }

  @Test
  @DisplayName("case 45: roll-ups that cannot be written keep no settle waiting")
  void case45_while_roll_ups_cannot_be_written_deliveries_are_claimed_and_settled()
      throws Exception {
    Destination destination = world.destination("dst_a");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Handle other =
            Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open()) {
      other.begin();
      other.execute("lock table penstock.rollup in access exclusive mode");
      Future<?> stuck = threads.submit(() -> store.add(List.of(counted("dst_a", 1, null, null))));
      for (int i = 0; i < 20; i++) {
        world.deliver(destination);
        Leased lease = world.claim(destination, 1).getFirst();
        assertThat(world.settle(lease, new Move.Deliver(1)).applied()).hasSize(1);
      }
      other.rollback();
      stuck.get();
    }
    assertThat(rows()).hasSize(1);
  }

  @Test
  void a_minute_of_a_day_without_a_partition_makes_one_and_goes_after_a_month() {
    world.clock().advance(Duration.ofDays(500));
    minute = world.clock().instant().truncatedTo(ChronoUnit.MINUTES);
    store.add(List.of(counted("dst_a", 1, null, null)));
    assertThat(rows()).hasSize(1);
    world.clock().advance(Duration.ofDays(32));
    new Retention(settings, world.pool(), LimitsDocument.DEFAULT, world.clock()::nanos)
        .runOnce(Duration.ofMinutes(1));
    assertThat(rows()).isEmpty();
  }
}
