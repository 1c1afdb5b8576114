package io.penstock.postgres.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveKey;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveState;
import io.penstock.engine.redrive.Redrives;
import io.penstock.engine.redrive.Redrives.Started;
import io.penstock.engine.redrive.Redrives.Stepped;
import io.penstock.engine.redrive.Stepping;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Numbers of dead letters commit out of order. */
@PostgresTest
class FreezeTest {
  private static final RedriveSettings AT_ONCE = new RedriveSettings(0, 1_000, 0, 0, 100, 1);

  /** As a settle does it, in a transaction that takes its time. */
  private static final String DIE =
      """
      with gone as (
        delete from penstock.delivery where event_id = ? returning *
      ),
      done as (
        insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id,
          position, lane, urgency, state, attempt, not_before, age_from, lease_no, last_status,
          reason, redrive_count, size, done_at)
        select shard, destination_id, event_id, (not_before at time zone 'UTC')::date, tenant_id,
          position, lane, urgency, 'dead', 1, not_before, age_from, lease_no, 0, 'rejected', 0,
          size, not_before
        from gone
      )
      insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no,
        reason, response_head, attempts, first_seen, last_seen)
      select shard, destination_id, event_id, tenant_id, lease_no, 'rejected', '', 1, not_before,
        not_before
      from gone
      """;

  private final DatabaseSettings settings;

  FreezeTest(TestDatabase database) {
    this.settings = database.settings();
  }

  @Test
  @DisplayName("case 20: a death with a lower number that commits later is in the set, or nobody's")
  void nothing_is_released_before_lower_numbers_have_committed() throws Exception {
    TestingLedger world = TestingLedger.empty(settings, 1);
    try (Connection slow =
        DriverManager.getConnection(settings.url(), settings.user(), settings.password())) {
      Destination destination = world.destination("dst_a");
      DeliveryKey early = world.deliver(destination);
      slow.setAutoCommit(false);
      die(slow, early);
      DeliveryKey late = world.deliver(destination);
      assertThat(world.ledger().shelve(destination.shard(), "dst_a", Reason.EXPIRED, 10))
          .isEqualTo(1);
      Redrives redrives = new PostgresRedrives(world.pool(), () -> 0);
      RedriveKey key = start(redrives);

      for (int look = 0; look < 3; look++) {
        Stepped.Done waits = step(world, redrives, key);
        assertThat(waits.task().progress().state()).isEqualTo(RedriveState.STARTING);
        assertThat(waits.released()).isZero();
      }
      slow.commit();
      Stepped.Done goes = step(world, redrives, key);
      assertThat(goes.released()).isEqualTo(2);
      assertThat(redrives.events(key, null, 0, 10))
          .extracting(Redrives.Event::key)
          .containsExactly(early, late);
    }
  }

  private static void die(Connection slow, DeliveryKey key) throws Exception {
    try (PreparedStatement die = slow.prepareStatement(DIE)) {
      die.setObject(1, key.eventId());
      assertThat(die.executeUpdate()).isEqualTo(1);
    }
  }

  private static RedriveKey start(Redrives redrives) {
    Started started =
        redrives.start("rdr_1", RedriveFilter.allOf("dst_a"), AT_ONCE, TestingLedger.BY);
    assertThat(started).isInstanceOf(Started.Active.class);
    return ((Started.Active) started).task().key();
  }

  private static Stepped.Done step(TestingLedger world, Redrives redrives, RedriveKey key) {
    world.clock().advance(Duration.ofSeconds(1));
    Stepped stepped = redrives.step(key, "node-1", Stepping.RULE);
    assertThat(stepped).isInstanceOf(Stepped.Done.class);
    return (Stepped.Done) stepped;
  }
}
