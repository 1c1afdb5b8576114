package io.penstock.postgres.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.limits.AlertThresholds;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.engine.notice.Notice;
import io.penstock.engine.notice.NoticeKind;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

@PostgresTest
class PostgresNoticesTest {
  private static final BudgetRule SAME =
      (budgetId, state, now) -> {
        if (state == null) {
          throw new AssertionError("no budget " + budgetId);
        }
        return state;
      };

  private final DatabaseSettings settings;

  PostgresNoticesTest(TestDatabase database) {
    this.settings = database.settings();
  }

  private static void gate(TestingLedger world, String id, GateAction action) {
    world.ledger().changeGate(new GateScope.OfDestination(id), action, TestingLedger.BY, SAME);
  }

  private static List<String> names(List<Notice> notices) {
    return notices.stream().map(one -> one.kind().word() + " " + one.subject()).toList();
  }

  @Test
  void what_lasts_is_told_once_and_its_end_once() {
    TestingLedger world = TestingLedger.empty(settings, 1);
    PostgresNotices notices = new PostgresNotices(world.pool(), "penstock", LimitsDocument.DEFAULT);
    assertThat(notices.lead("node-1")).isTrue();
    world.destination("dst_a");
    world.destination("dst_b");
    assertThat(notices.untold()).isEmpty();
    gate(world, "dst_a", GateAction.HOLD);
    gate(world, "dst_b", GateAction.DISABLE);
    List<Notice> untold = notices.untold();
    assertThat(names(untold)).containsExactlyInAnyOrder("held dst_a", "disabled dst_b");
    assertThat(names(notices.untold())).hasSize(2);
    notices.told(untold);
    assertThat(notices.untold()).isEmpty();
    gate(world, "dst_a", GateAction.RELEASE);
    List<Notice> over = notices.untold();
    assertThat(names(over)).containsExactly("recovered dst_a");
    assertThat(over.getFirst().detail()).isEqualTo("held");
    notices.told(over);
    assertThat(notices.untold()).isEmpty();
    world.ledger().deleteDestination("dst_b", TestingLedger.BY);
    assertThat(notices.untold()).isEmpty();
  }

  @Test
  void nothing_is_told_of_the_notices_own_tenant() {
    TestingLedger world = TestingLedger.empty(settings, 1);
    PostgresNotices notices =
        new PostgresNotices(world.pool(), TestingLedger.TENANT, LimitsDocument.DEFAULT);
    notices.lead("node-1");
    world.destination("dst_a");
    gate(world, "dst_a", GateAction.HOLD);
    assertThat(notices.untold()).isEmpty();
  }

  @Test
  void a_shelf_that_grows_fast_is_told_and_after_a_while_again() {
    TestingLedger world = TestingLedger.empty(settings, 1);
    PostgresNotices notices = new PostgresNotices(world.pool(), "penstock", LimitsDocument.DEFAULT);
    notices.lead("node-1");
    Destination destination = world.destination("dst_a");
    assertThat(notices.untold()).isEmpty();
    die(world, destination);
    assertThat(notices.untold()).as("not a minute yet").isEmpty();
    world.clock().advance(Duration.ofSeconds(61));
    List<Notice> untold = notices.untold();
    assertThat(untold)
        .singleElement()
        .satisfies(one -> {
          assertThat(one.kind()).isEqualTo(NoticeKind.SHELF_GROWING);
          assertThat(one.subject()).isEqualTo("dst_a");
          assertThat(one.detail()).isEqualTo("100 deliveries died within 61 s");
        });
    notices.told(untold);
    die(world, destination);
    world.clock().advance(Duration.ofSeconds(61));
    assertThat(notices.untold()).as("told a minute ago").isEmpty();
    world.clock().advance(Duration.ofMinutes(10));
    notices.untold();
    die(world, destination);
    world.clock().advance(Duration.ofSeconds(61));
    assertThat(names(notices.untold())).containsExactly("shelf_growing dst_a");
  }

  private static void die(TestingLedger world, Destination destination) {
    for (int i = 0; i < AlertThresholds.DEFAULT.deadLettersPerMinute(); i++) {
      world.deliver(destination);
    }
    world.ledger().shelve(destination.shard(), destination.id(), Reason.EXPIRED, 1_000);
  }

  @Test
  void from_how_many_on_a_shelf_is_growing_the_limits_say_at_each_look() {
    TestingLedger world = TestingLedger.empty(settings, 1);
    AtomicLong most = new AtomicLong(AlertThresholds.DEFAULT.deadLettersPerMinute() + 1);
    PostgresNotices notices = new PostgresNotices(world.pool(), "penstock", growingFrom(most::get));
    Destination destination = world.destination("dst_a");
    assertThat(notices.lead("node-1")).isTrue();
    notices.untold();
    die(world, destination);
    world.clock().advance(Duration.ofSeconds(61));
    assertThat(notices.untold()).isEmpty();
    most.decrementAndGet();
    die(world, destination);
    world.clock().advance(Duration.ofSeconds(61));
    assertThat(names(notices.untold())).containsExactly("shelf_growing dst_a");
  }

  private static Limits growingFrom(LongSupplier most) {
    return new Limits() {
      @Override
      public DestinationLimits of(String destinationId) {
        return DestinationLimits.DEFAULT;
      }

      @Override
      public AlertThresholds alerts() {
        return new AlertThresholds(
            Duration.ofMinutes(1), 1, 0.1, 1, most.getAsLong(), 2, Duration.ofHours(1));
      }
    };
  }

  @Test
  void one_node_leads_until_it_is_silent() {
    TestingLedger world = TestingLedger.empty(settings, 1);
    PostgresNotices notices = new PostgresNotices(world.pool(), "penstock", LimitsDocument.DEFAULT);
    assertThat(notices.lead("node-1")).isTrue();
    assertThat(notices.lead("node-2")).isFalse();
    assertThat(notices.lead("node-1")).isTrue();
    world.clock().advance(Duration.ofMinutes(1));
    assertThat(notices.lead("node-2")).isTrue();
    assertThat(notices.lead("node-1")).isFalse();
  }
}
