package io.penstock.postgres.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.Test;

/** Days are there before they are needed, and when they are. */
@PostgresTest
class PartitionsTest {
  private final TestingLedger world;

  PartitionsTest(TestDatabase database) {
    world = TestingLedger.empty(database.settings(), 1);
  }

  @Test
  void a_week_lies_ready_and_a_second_look_makes_nothing() {
    world.clock().advance(Duration.ofDays(1_000));
    Partitions partitions = new Partitions(world.pool());
    assertThat(partitions.ahead()).isEqualTo(4 * (Partitions.DAYS_AHEAD + 2));
    assertThat(partitions.ahead()).isZero();
  }

  @Test
  void a_missing_day_is_made_when_a_row_asks_for_it() {
    Destination destination = world.destination("dst_a");
    world.clock().advance(Duration.ofDays(2_000));
    world.deliver(destination);
    world.clock().advance(Duration.ofDays(2_000));
    assertThat(world.settle(world.claim(destination, 1).getFirst(), new Move.Deliver(1)).applied())
        .hasSize(1);
  }

  @Test
  void many_who_miss_the_same_day_make_it_once() {
    Partitions partitions = new Partitions(world.pool());
    List<LocalDate> day = List.of(LocalDate.of(2040, 1, 1));
    assertThat(IntStream.range(0, 6).parallel().map(i -> partitions.ensure(day)).sum())
        .isEqualTo(4);
  }

  @Test
  void a_check_that_has_nothing_to_do_with_days_is_not_tried_again() {
    assertThatThrownBy(() ->
            new Partitions(world.pool())
                .onDemand(
                    List.of(),
                    () ->
                        world
                            .pool()
                            .read(
                                Use.CALLER,
                                handle ->
                                    handle.execute("update penstock.installation set shards = 0"))))
        .isInstanceOf(UnableToExecuteStatementException.class);
  }
}
