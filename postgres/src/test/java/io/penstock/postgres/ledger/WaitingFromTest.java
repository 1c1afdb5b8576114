package io.penstock.postgres.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims begin to look at a mark; whatever comes to lie below it is served first all the same. */
@PostgresTest
class WaitingFromTest {
  private final TestDatabase database;
  private final TestingLedger world;
  private Destination destination;

  WaitingFromTest(TestDatabase database) {
    this.database = database;
    world = TestingLedger.empty(database.settings(), 1);
  }

  @BeforeEach
  void aDestination() {
    destination = world.destination("dst_a");
  }

  private DeliveryKey deliver() {
    return world.deliver(destination);
  }

  /** As an accept that took 40 seconds leaves it. */
  private DeliveryKey deliverBelowTheMark() {
    DeliveryKey late = deliver();
    world
        .pool()
        .transaction(
            Use.CALLER,
            handle ->
                handle.execute(
                    "update penstock.delivery set not_before = not_before - interval '40 s'"));
    return late;
  }

  private Leased claimOne() {
    return world.claim(destination, 1).getFirst();
  }

  private List<DeliveryKey> claimed() {
    return world.claim(destination, 10).stream().map(Leased::key).toList();
  }

  /** Delivers one every five seconds; the mark is then no more than seconds old. */
  private void minuteOfTraffic() {
    for (int i = 0; i < 12; i++) {
      deliver();
      world.settle(claimOne(), new Move.Deliver(1));
      world.clock().advance(Duration.ofSeconds(5));
    }
  }

  /** The mark of first attempts of interactive deliveries. */
  private Instant mark() {
    return world
        .pool()
        .read(
            Use.CALLER,
            handle ->
                handle
                    .createQuery("select since[1] as since from penstock.waiting_from")
                    .map((row, context) -> Bind.instant(row, "since"))
                    .one());
  }

  @Test
  void traffic_raises_the_mark_to_what_every_accept_must_have_shown() {
    minuteOfTraffic();

    Instant now = world.clock().instant();
    assertThat(mark()).isBetween(now.minusSeconds(25), now.minusSeconds(10));
  }

  @Test
  void what_waits_holds_the_mark() {
    minuteOfTraffic();
    Instant waiting = world.clock().instant();
    for (int i = 0; i < 20; i++) {
      deliver();
    }
    for (int i = 0; i < 5; i++) {
      world.clock().advance(Duration.ofSeconds(30));
      world.settle(claimOne(), new Move.Deliver(1));
    }

    assertThat(mark()).isBefore(waiting.plusNanos(1));
    assertThat(claimed()).hasSize(10);
  }

  @Test
  void what_is_handed_back_below_the_mark_comes_first() {
    DeliveryKey early = deliver();
    Leased lease = claimOne();
    minuteOfTraffic();
    DeliveryKey late = deliver();
    assertThat(mark()).isAfter(lease.notBefore());

    world.settle(lease, new Move.KeepPlace());

    assertThat(claimed()).containsExactly(early, late);
  }

  @Test
  void what_is_tried_again_before_the_mark_of_its_lane_is_found() {
    for (int i = 0; i < 8; i++) {
      deliver();
      world.settle(claimOne(), new Move.Retry(1, world.clock().instant()));
      world.settle(claimOne(), new Move.Deliver(2));
      world.clock().advance(Duration.ofSeconds(5));
    }
    DeliveryKey again = deliver();
    world.settle(claimOne(), new Move.Retry(1, world.clock().instant().minusSeconds(35)));

    assertThat(claimed()).containsExactly(again);
  }

  @Test
  void what_is_accepted_while_the_clock_is_set_back_comes_first() {
    minuteOfTraffic();
    DeliveryKey late = deliver();
    world.clock().advance(Duration.ofSeconds(-50));
    DeliveryKey early = deliver();
    world.clock().advance(Duration.ofSeconds(50));

    assertThat(claimed()).containsExactly(early, late);
  }

  @Test
  void what_is_sent_again_while_the_clock_is_set_back_is_found() {
    for (int i = 0; i < 8; i++) {
      sendTwice();
      world.clock().advance(Duration.ofSeconds(5));
    }
    DeliveryKey delivered = deliver();
    world.settle(claimOne(), new Move.Deliver(1));
    world.clock().advance(Duration.ofSeconds(-35));
    world.ledger().sendAgain(delivered, TestingLedger.BY);
    world.clock().advance(Duration.ofSeconds(35));

    assertThat(claimed()).containsExactly(delivered);
  }

  private void sendTwice() {
    DeliveryKey key = deliver();
    world.settle(claimOne(), new Move.Deliver(1));
    world.ledger().sendAgain(key, TestingLedger.BY);
    world.settle(claimOne(), new Move.Deliver(1));
  }

  @Test
  void what_shows_later_than_any_accept_may_take_is_found_by_the_walk() {
    minuteOfTraffic();
    DeliveryKey late = deliverBelowTheMark();
    assertThat(claimed()).as("below the mark nobody looks").isEmpty();

    assertThat(world.ledger().walk(0, null, 10)).hasSize(1);

    assertThat(claimed()).containsExactly(late);
  }

  @Test
  void a_walk_leaves_a_mark_whose_range_is_in_order() {
    minuteOfTraffic();
    Instant mark = mark();
    deliver();
    world.ledger().walk(0, null, 10);

    assertThat(mark()).isEqualTo(mark);
  }

  /** Does it while somebody else lowers the mark, who lets it be higher than it has to be. */
  private <T> T whileSomebodyLowersIt(Callable<T> what) throws Exception {
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(
          """
          update penstock.waiting_from
          set since = array(select since - interval '1 s' from unnest(since) as since)
          """);
      Future<T> done = threads.submit(what);
      untilSomebodyWaits();
      other.commit();
      return done.get();
    }
  }

  private void untilSomebodyWaits() throws SQLException {
    String waits =
        """
        select exists (
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock')
        """;
    try (Connection looking = database.dataSource().getConnection();
        Statement statement = looking.createStatement()) {
      boolean found = false;
      while (!found) {
        try (ResultSet row = statement.executeQuery(waits)) {
          row.next();
          found = row.getBoolean(1);
        }
      }
    }
  }

  @Test
  void an_accept_lowers_a_mark_that_somebody_lowers_less_far() throws Exception {
    minuteOfTraffic();
    DeliveryKey late = deliver();
    world.clock().advance(Duration.ofSeconds(-50));
    DeliveryKey early = whileSomebodyLowersIt(this::deliver);
    world.clock().advance(Duration.ofSeconds(50));

    assertThat(claimed()).containsExactly(early, late);
  }

  @Test
  void a_settle_lowers_a_mark_that_somebody_lowers_less_far() throws Exception {
    DeliveryKey early = deliver();
    Leased lease = claimOne();
    minuteOfTraffic();
    DeliveryKey late = deliver();
    whileSomebodyLowersIt(() -> world.settle(lease, new Move.KeepPlace()));

    assertThat(claimed()).containsExactly(early, late);
  }

  @Test
  void a_walk_lowers_a_mark_that_somebody_lowers_less_far() throws Exception {
    minuteOfTraffic();
    DeliveryKey late = deliverBelowTheMark();
    whileSomebodyLowersIt(() -> world.ledger().walk(0, null, 10));

    assertThat(claimed()).containsExactly(late);
  }
}
