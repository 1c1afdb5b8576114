package io.penstock.postgres.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Feedback;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.read.AuditView;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cancelling by filter. */
@PostgresTest
class CancelsTest {
  private static final Duration ENOUGH = Duration.ofMinutes(1);
  private static final BudgetRule FREED =
      (id, state, now) ->
          Budget.feed(
              Objects.requireNonNull(state),
              BudgetSettings.DEFAULT,
              new Feedback.HandedBack(new Stamp(-1, false, false, false)),
              now);

  private final DatabaseSettings settings;
  private TestingLedger world;
  private Destination destination;
  private Cancels cancels;

  CancelsTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  void begin() {
    world = TestingLedger.empty(settings, 4);
    destination = world.destination("dst_a");
    cancels = new Cancels(world.pool(), world.clock()::nanos);
  }

  private DeliveryState state(DeliveryKey key) {
    return new SqlInspection(world.pool()).delivery(key).orElseThrow().state();
  }

  private CancelStep all(CancelFilter filter) {
    return cancels.step(filter, null, TestingLedger.BY, FREED, ENOUGH);
  }

  private CancelStep dry(CancelFilter filter) {
    return cancels.step(filter, null, null, FREED, ENOUGH);
  }

  @Test
  void a_dry_run_counts_and_changes_nothing() {
    DeliveryKey key = world.deliver(destination);
    assertThat(dry(new CancelFilter("dst_a", null, null, null)))
        .isEqualTo(new CancelStep(1, 0, null));
    assertThat(state(key)).isEqualTo(DeliveryState.PENDING);
  }

  @Test
  void a_destinations_waiting_retrying_and_leased_ones_are_cancelled_and_slots_freed() {
    Destination other = world.destination("dst_b");
    List<DeliveryKey> keys = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      keys.add(world.deliver(destination));
    }
    List<Leased> leased = world.claim(destination, 3);
    world.settle(leased.getFirst(), new Move.Retry(1, world.clock().instant().plusSeconds(60)));
    DeliveryKey spared = world.deliver(other);

    CancelStep done = all(new CancelFilter("dst_a", null, null, null));

    assertThat(done).isEqualTo(new CancelStep(5, 2, null));
    assertThat(keys).allSatisfy(key -> assertThat(state(key)).isEqualTo(DeliveryState.CANCELLED));
    assertThat(state(spared)).isEqualTo(DeliveryState.PENDING);
    assertThat(world.settle(leased.getLast(), new Move.Deliver(1)).applied())
        .as("what was being sent finds no lease")
        .isEmpty();
    assertThat(new SqlInspection(world.pool()).deadLetters("dst_a")).isEmpty();
    assertThat(all(new CancelFilter("dst_a", null, null, null)).deliveries()).isZero();
  }

  @Test
  void type_age_and_tenant_narrow_it() {
    DeliveryKey old = world.deliver(destination);
    world.clock().advance(Duration.ofHours(2));
    DeliveryKey young = world.deliver(destination);
    assertThat(dry(new CancelFilter("dst_a", "other", null, null)).deliveries()).isZero();
    assertThat(dry(new CancelFilter("dst_a", null, "order.made", null)).deliveries()).isZero();
    assertThat(dry(new CancelFilter(null, "acme", "order.paid", null)).deliveries()).isEqualTo(2);
    CancelStep done =
        all(
            new CancelFilter(
                null, "acme", "order.paid", world.clock().instant().minus(Duration.ofHours(1))));
    assertThat(done.deliveries()).isEqualTo(1);
    assertThat(state(old)).isEqualTo(DeliveryState.CANCELLED);
    assertThat(state(young)).isEqualTo(DeliveryState.PENDING);
    assertThatThrownBy(() -> new CancelFilter(null, null, "order.paid", null))
        .hasMessageContaining("a destination or a tenant");
  }

  @Test
  void a_step_that_runs_out_of_time_tells_where_the_next_goes_on() {
    world.destination("dst_b");
    world.deliver(destination);
    world.deliver(world.ledger().destinations(List.of("dst_b")).getFirst());
    CancelFilter filter = new CancelFilter(null, "acme", null, null);
    CancelStep first = cancels.step(filter, null, TestingLedger.BY, FREED, Duration.ZERO);
    assertThat(first.deliveries()).isZero();
    assertThat(first.next()).isNotNull();
    CancelStep rest = cancels.step(filter, first.next(), TestingLedger.BY, FREED, ENOUGH);
    assertThat(rest).isEqualTo(new CancelStep(2, 0, null));
  }

  @Test
  void each_batch_has_its_line_in_the_audit_of_the_tenant() {
    world.deliver(destination);
    all(new CancelFilter("dst_a", null, "order.paid", null));
    List<AuditView> lines =
        new AuditReads(world.pool())
            .page(
                new AuditReads.Filter(Set.of("acme"), null, "delivery", "dst_a", null, null),
                null,
                9)
            .items();
    assertThat(lines)
        .singleElement()
        .satisfies(line -> {
          assertThat(line.action()).isEqualTo("delivery.cancel_many");
          assertThat(line.tenantId()).isEqualTo("acme");
          assertThat(line.reason()).isEqualTo("because");
          assertThat(line.detail())
              .isEqualTo("1 deliveries, 0 of them leased; type order.paid, older than any");
        });
  }
}
