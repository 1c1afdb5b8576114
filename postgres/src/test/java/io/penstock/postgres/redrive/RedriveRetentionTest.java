package io.penstock.postgres.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.Redrives;
import io.penstock.engine.redrive.Redrives.Command;
import io.penstock.engine.redrive.Redrives.Started;
import io.penstock.engine.redrive.Stepping;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@PostgresTest
class RedriveRetentionTest {
  private final DatabaseSettings settings;

  RedriveRetentionTest(TestDatabase database) {
    this.settings = database.settings();
  }

  @Test
  void what_ended_a_month_ago_goes_with_its_messages_and_what_is_active_stays() {
    TestingLedger world = TestingLedger.empty(settings, 1);
    Redrives redrives = new PostgresRedrives(world.pool(), () -> 0);
    RedriveRetention retention = new RedriveRetention(world.pool());
    for (String id : new String[] {"dst_a", "dst_b"}) {
      Destination destination = world.destination(id);
      world.deliver(destination);
      world.ledger().shelve(destination.shard(), id, Reason.EXPIRED, 10);
      Started started =
          redrives.start(
              "rdr_" + id,
              RedriveFilter.allOf(id),
              new RedriveSettings(0, 10, 0, 0, 100, 1),
              TestingLedger.BY);
      assertThat(started).isInstanceOf(Started.Active.class);
      redrives.step(((Started.Active) started).task().key(), "node-1", Stepping.RULE);
    }
    redrives.command("rdr_dst_a", Command.CANCEL, TestingLedger.BY);
    world.clock().advance(Duration.ofDays(29));
    assertThat(retention.runOnce()).isZero();
    world.clock().advance(Duration.ofDays(2));
    assertThat(retention.runOnce()).isPositive();
    retention.runOnce();
    assertThat(redrives.find("rdr_dst_a")).isEmpty();
    assertThat(redrives.find("rdr_dst_b")).isPresent();
  }
}
