package io.penstock.postgres.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits behind a gate, who closed it, and what goes next. */
@PostgresTest
class GateReadsTest {
  private static final GateScope EVERYTHING = new GateScope.Everything();

  private final DatabaseSettings settings;
  private final AtomicLong nanos = new AtomicLong();
  private TestingLedger world;

  GateReadsTest(TestDatabase database) {
    settings = database.settings();
    world = TestingLedger.empty(settings, 1);
  }

  private GateReads gates() {
    return new GateReads(world.pool(), nanos::get);
  }

  private void change(GateScope scope, GateAction action) {
    var _ =
        world
            .ledger()
            .changeGate(
                scope, action, TestingLedger.BY, (_, state, _) -> Objects.requireNonNull(state));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @DisplayName("case 16: what a pause holds is counted with its oldest, by scope")
  void case16_what_waits_behind_a_gate_is_counted(int shards) {
    world = TestingLedger.empty(settings, shards);
    world.ledger().createTenant("other", "Other", TestingLedger.BY);
    Destination a = world.destination("dst_a");
    Destination b = world.destination("dst_b");
    assertThat(gates().behind(EVERYTHING)).isEqualTo(new BehindView(0, true, null));
    Instant oldest = world.clock().instant();
    world.deliver(a);
    world.clock().advance(Duration.ofMinutes(1));
    world.deliver(a);
    world.deliver(b);
    world.claim(b, 1);
    assertThat(gates().behind(new GateScope.OfDestination("dst_a")))
        .isEqualTo(new BehindView(2, true, oldest));
    assertThat(gates().behind(new GateScope.OfDestination("dst_b")).waiting()).isZero();
    assertThat(gates().behind(new GateScope.OfTenant(TestingLedger.TENANT)).waiting()).isEqualTo(2);
    assertThat(gates().behind(new GateScope.OfTenant("other")).waiting()).isZero();
    assertThat(gates().behind(EVERYTHING)).isEqualTo(new BehindView(2, true, oldest));
  }

  @Test
  void counting_stops_at_its_bound_and_says_so() {
    world.destination("dst_a");
    fill("dst_a", 10_000);
    assertThat(gates().behind(EVERYTHING))
        .satisfies(all -> {
          assertThat(all.waiting()).isEqualTo(10_000);
          assertThat(all.exact()).isTrue();
        });
    world.destination("dst_b");
    fill("dst_b", 1);
    assertThat(gates().behind(EVERYTHING))
        .satisfies(all -> {
          assertThat(all.waiting()).isEqualTo(10_000);
          assertThat(all.exact()).isFalse();
        });
  }

  @Test
  void counting_stops_when_its_time_is_over() {
    for (int i = 0; i < 201; i++) {
      world.deliver(world.destination("dst_%03d".formatted(i)));
    }
    GateReads slow =
        new GateReads(
            world.pool(), () -> nanos.getAndAdd(GateReads.COUNT_BUDGET.toNanos() * 2 / 3));
    BehindView behind = slow.behind(EVERYTHING);
    assertThat(behind.exact()).isFalse();
    assertThat(behind.waiting()).isEqualTo(200);
    assertThat(gates().behind(EVERYTHING).waiting()).isEqualTo(201);
  }

  private void fill(String destination, int count) {
    world
        .pool()
        .transaction(
            Use.CALLER,
            handle ->
                handle
                    .createUpdate(
                        """
                        insert into penstock.delivery (shard, destination_id, event_id, tenant_id,
                          lane, urgency, state, attempt, not_before, age_from, lease_no,
                          redrive_count, size)
                        select 0, :destination, gen_random_uuid(), 'acme',
                          0, 0, 'pending', 0, '2026-01-01Z', '2026-01-01Z', 0, 0, 1
                        from generate_series(1, :count)
                        """)
                    .bind("destination", destination)
                    .bind("count", count)
                    .execute());
  }

  @Test
  void a_closed_gate_keeps_who_closed_it_until_it_is_opened() {
    world.destination("dst_a");
    change(EVERYTHING, GateAction.PAUSE);
    change(EVERYTHING, GateAction.HOLD);
    Instant at = world.clock().instant();
    assertThat(gates().causesOfEverything())
        .containsExactly(
            new CauseView("everything", "everything", Gate.Closed.HELD, at, "key:test", "because"),
            new CauseView(
                "everything", "everything", Gate.Closed.PAUSED, at, "key:test", "because"));
    change(EVERYTHING, GateAction.RELEASE);
    change(new GateScope.OfDestination("dst_a"), GateAction.DISABLE);
    assertThat(new WhyReads(world.pool()).destination("dst_a"))
        .hasValueSatisfying(view ->
            assertThat(view.causes())
                .extracting(CauseView::scope, CauseView::closed)
                .containsExactly(
                    tuple("destination", Gate.Closed.DISABLED),
                    tuple("everything", Gate.Closed.PAUSED)));
    change(EVERYTHING, GateAction.RESUME);
    assertThat(gates().causesOfEverything()).isEmpty();
  }

  @Test
  void what_goes_before_a_delivery_is_what_may_go_by_then() {
    Destination a = world.destination("dst_a");
    world.deliver(a);
    world.deliver(a);
    DeliveryKey mine = world.deliver(a);
    world.deliver(a);
    setNotBefore(world.deliver(a), "first, but much later", Duration.ofHours(1));
    assertThat(new WhyReads(world.pool()).delivery("dst_a", mine.eventId()))
        .hasValueSatisfying(view ->
            assertThat(view.ahead()).extracting(WaitingView.Ahead::count).containsExactly(2));
  }

  private void setNotBefore(DeliveryKey key, String why, Duration later) {
    int moved =
        world
            .pool()
            .transaction(
                Use.CALLER,
                handle ->
                    handle
                        .createUpdate(
                            """
                            update penstock.delivery
                            set not_before = not_before + :later * interval '1 second'
                            where event_id = :event
                            """)
                        .bind("later", later.toSeconds())
                        .bind("event", key.eventId())
                        .execute());
    assertThat(moved).as(why).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void what_goes_next_is_read_for_a_destination_and_for_a_tenant(int shards) {
    world = TestingLedger.empty(settings, shards);
    Destination a = world.destination("dst_a");
    Destination b = world.destination("dst_b");
    world.destination("dst_idle");
    List<DeliveryKey> ofA = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ofA.add(world.deliver(a));
    }
    DeliveryKey ofB = world.deliver(b);
    NextReads reads = new NextReads(world.pool(), nanos::get);
    assertThat(reads.destination("dst_a", 2))
        .hasValueSatisfying(view ->
            assertThat(view.lines().getFirst().first())
                .extracting(NextView.Place::eventId)
                .containsExactly(ofA.get(0).eventId(), ofA.get(1).eventId()));
    assertThat(reads.destination("dst_idle", 2))
        .hasValueSatisfying(view -> assertThat(view.lines().getFirst().first()).isEmpty());
    assertThat(reads.destination("nowhere", 2)).isEmpty();
    NextView all = reads.tenant(TestingLedger.TENANT, 5);
    assertThat(all.complete()).isTrue();
    assertThat(all.lines())
        .flatExtracting(line -> line.first().stream().map(NextView.Place::eventId).toList())
        .containsExactlyInAnyOrder(
            ofA.get(0).eventId(), ofA.get(1).eventId(), ofA.get(2).eventId(), ofB.eventId());
  }
}
