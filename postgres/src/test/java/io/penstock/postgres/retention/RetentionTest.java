package io.penstock.postgres.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Freshness;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.Bind;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is thrown away, and above all what is not. */
@PostgresTest
class RetentionTest {
  private static final Duration ENOUGH = Duration.ofMinutes(1);

  private final DatabaseSettings settings;
  private TestingLedger world;
  private Destination destination;

  RetentionTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  void begin() {
    world = TestingLedger.empty(settings, 1);
    destination = world.destination("dst_a");
  }

  private Map<String, Integer> sweep() {
    return sweep(LimitsDocument.DEFAULT);
  }

  private Map<String, Integer> sweep(Limits limits) {
    return new Retention(settings, world.pool(), limits, world.clock()::nanos).runOnce(ENOUGH);
  }

  private DeliveryKey ended(Move move) {
    DeliveryKey key = world.deliver(destination);
    Leased lease = world.claim(destination, 1).getFirst();
    assertThat(lease.key()).isEqualTo(key);
    world.settle(lease, move);
    return key;
  }

  private long count(String table) {
    return world
        .pool()
        .read(
            Use.CALLER,
            handle ->
                handle
                    .createQuery("select count(*) from penstock." + table)
                    .mapTo(Long.class)
                    .one());
  }

  @Test
  @DisplayName("case 42: finished work goes in whole days, what is still needed stays")
  void case42_old_days_go_but_never_what_still_waits_or_lies_on_the_shelf() {
    ended(new Move.Deliver(1));
    DeliveryKey dead = ended(new Move.Die(1, Reason.REJECTED));
    DeliveryKey waiting = world.deliver(destination);
    sweep();
    assertThat(count("event")).isEqualTo(3);

    world.clock().advance(Duration.ofDays(9));
    sweep();

    assertThat(count("event")).isZero();
    assertThat(count("attempt")).isZero();
    assertThat(count("delivery_done")).isEqualTo(1);
    assertThat(count("event_kept")).isEqualTo(2);
    assertThat(world.ledger().redrive(dead, TestingLedger.BY)).isTrue();
    List<Leased> leased = world.claim(destination, 9);
    assertThat(leased).extracting(Leased::key).containsExactly(waiting, dead);
    assertThat(leased).allSatisfy(one -> assertThat(one.content().body()).isNotEmpty());
  }

  @Test
  void complete_runs_go_when_nothing_can_ask_for_them_any_more() {
    world
        .pool()
        .transaction(
            Use.CALLER,
            handle ->
                handle
                    .createUpdate(
                        """
                        insert into penstock.complete_run (shard, destination_id, item,
                          artifacts_hash, artifacts, event_id, lease_no, completed_at)
                        select 0, 'dst_a', 'page/' || i, sha256(''), '', gen_random_uuid(), 1,
                          cast(:now as timestamptz) + i * interval '1 second'
                        from generate_series(1, 3) as i
                        """)
                    .bind("now", Bind.time(world.clock().instant()))
                    .execute());
    world.clock().advance(Freshness.LONGEST.plusSeconds(2));
    assertThat(sweep()).containsEntry("complete_runs", 2);
    assertThat(count("complete_run")).isEqualTo(1);
  }

  @Test
  void the_shelf_and_its_payloads_go_after_their_own_time() {
    DeliveryKey dead = ended(new Move.Die(1, Reason.REJECTED));
    world.clock().advance(Duration.ofDays(20));
    sweep();
    assertThat(count("dead_letter")).isEqualTo(1);
    assertThat(count("event_kept")).isEqualTo(1);

    world.clock().advance(Duration.ofDays(11));
    sweep();

    assertThat(count("dead_letter")).isZero();
    assertThat(count("delivery_done")).isZero();
    assertThat(count("event_kept")).isZero();
    assertThat(world.ledger().redrive(dead, TestingLedger.BY)).isFalse();
  }

  @Test
  void what_is_sent_again_on_its_last_day_keeps_its_event() {
    DeliveryKey delivered = ended(new Move.Deliver(1));
    assertThat(world.ledger().sendAgain(delivered, TestingLedger.BY)).isTrue();
    world.clock().advance(Duration.ofDays(9));
    sweep();
    assertThat(world.claim(destination, 1).getFirst().content().body()).isNotEmpty();
  }

  @Test
  void a_drop_that_was_cut_off_is_ended_the_next_time() {
    ended(new Move.Deliver(1));
    world.clock().advance(Duration.ofDays(9));
    try (Handle handle = open()) {
      handle.execute(
          "alter table penstock.attempt detach partition penstock.attempt_20260310 concurrently");
    }
    assertThat(sweep()).containsEntry("attempt_days_dropped", 3);
    try (Handle handle = open()) {
      assertThat(
              handle
                  .createQuery("select to_regclass('penstock.attempt_20260310') is null")
                  .mapTo(Boolean.class)
                  .one())
          .isTrue();
    }
  }

  @Test
  @DisplayName("case 42: of two nodes one sweeps, and neither waits")
  void case42_two_nodes_do_not_get_into_each_others_way() {
    try (Handle other = open()) {
      other.execute("select pg_advisory_lock(hashtext('penstock.retention'))");
      assertThat(sweep()).containsOnlyKeys("partitions_made");
    }
    assertThat(sweep()).containsKey("event_days_dropped");
  }

  private Handle open() {
    return Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open();
  }
}
