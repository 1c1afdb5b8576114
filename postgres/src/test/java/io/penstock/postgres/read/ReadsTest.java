package io.penstock.postgres.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.depth.DepthSampler;
import io.penstock.postgres.depth.Depths;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people and screens see. */
@PostgresTest
class ReadsTest {
  private final DatabaseSettings settings;
  private TestingLedger world;

  ReadsTest(TestDatabase database) {
    settings = database.settings();
    world = TestingLedger.empty(settings, 1);
  }

  private List<DeliveryKey> all(DeliveryFilter filter, int limit) {
    DeliveryReads reads = new DeliveryReads(world.pool());
    List<DeliveryKey> keys = new ArrayList<>();
    @Nullable DeliveryCursor at = null;
    do {
      Page<DeliveryView, DeliveryCursor> page = reads.page(filter, at, limit);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      page.items().forEach(one -> keys.add(one.key()));
      at = page.next();
    } while (at != null);
    return keys;
  }

  private DeliveryKey settled(Destination destination, Move move) {
    world.deliver(destination);
    Leased lease = world.claim(destination, 1).getFirst();
    world.settle(lease, move);
    return lease.key();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @DisplayName("case 44: pages by keyset show every delivery once, newest first")
  void case44_pages_show_every_delivery_once_newest_first(int shards) {
    world = TestingLedger.empty(settings, shards);
    Destination a = world.destination("dst_a");
    Destination b = world.destination("dst_b");
    List<DeliveryKey> expected = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      world.clock().advance(Duration.ofMinutes(1));
      expected.addFirst(settled(a, new Move.Deliver(1)));
      NewEvent both = world.event("dst_a", "dst_b");
      world.ledger().accept(List.of(both));
      expected.addFirst(new DeliveryKey(a.shard(), "dst_a", both.eventId()));
      expected.addFirst(new DeliveryKey(b.shard(), "dst_b", both.eventId()));
      world.claim(a, 9).forEach(lease -> world.settle(lease, new Move.Deliver(1)));
    }
    for (int limit : new int[] {1, 2, 5, 250}) {
      assertThat(all(DeliveryFilter.ALL, limit)).isEqualTo(expected);
      assertThat(all(new DeliveryFilter(Set.of(TestingLedger.TENANT), null, null, null), limit))
          .isEqualTo(expected);
      assertThat(all(new DeliveryFilter(Set.of(), "dst_a", null, null), limit))
          .isEqualTo(expected.stream().filter(k -> k.destinationId().equals("dst_a")).toList());
    }
    assertThat(all(new DeliveryFilter(Set.of(), null, expected.getFirst().eventId(), null), 9))
        .containsExactly(expected.get(0), expected.get(1));
  }

  @Test
  @DisplayName("case 38: a tenant's page shows nothing of another tenant")
  void case38_another_tenants_deliveries_are_not_seen() {
    DeliveryKey key = world.deliver(world.destination("dst_a"));
    assertThat(all(new DeliveryFilter(Set.of("other"), null, null, null), 9)).isEmpty();
    assertThat(all(new DeliveryFilter(Set.of("other"), "dst_a", null, null), 9)).isEmpty();
    assertThat(all(new DeliveryFilter(Set.of("other"), null, key.eventId(), null), 9)).isEmpty();
  }

  @Test
  void what_waits_behind_a_closed_gate_shows_the_gate() {
    Destination a = world.destination("dst_a");
    DeliveryKey delivered = settled(a, new Move.Deliver(1));
    DeliveryKey waiting = world.deliver(a);
    world
        .ledger()
        .changeGate(
            new GateScope.OfTenant(TestingLedger.TENANT),
            GateAction.PAUSE,
            TestingLedger.BY,
            (id, state, now) -> Objects.requireNonNull(state));
    DeliveryReads reads = new DeliveryReads(world.pool());
    assertThat(reads.find("dst_a", waiting.eventId()))
        .hasValueSatisfying(one -> assertThat(one.delivery().shown()).isEqualTo(ShownState.PAUSED));
    assertThat(all(new DeliveryFilter(Set.of(), null, null, ShownState.PAUSED), 9))
        .containsExactly(waiting);
    assertThat(all(new DeliveryFilter(Set.of(), "dst_a", null, ShownState.PENDING), 9)).isEmpty();
    assertThat(all(new DeliveryFilter(Set.of(), "dst_a", null, ShownState.DELIVERED), 9))
        .containsExactly(delivered);
    assertThat(new ConfigurationReads(world.pool()).destination("dst_a"))
        .hasValueSatisfying(one -> {
          assertThat(one.gate().paused()).isFalse();
          assertThat(one.inForce().closed()).isEqualTo(Gate.Closed.PAUSED);
        });
  }

  @Test
  void a_delivery_shows_its_attempts_and_its_event_the_bytes() {
    DeliveryKey key = settled(world.destination("dst_a"), new Move.Deliver(1));
    assertThat(new DeliveryReads(world.pool()).find("dst_a", key.eventId()))
        .hasValueSatisfying(one -> {
          assertThat(one.delivery().lastStatus()).isEqualTo(200);
          assertThat(one.attempts()).hasSize(1);
          assertThat(one.attempts().getFirst().outcome()).isEqualTo("delivered");
        });
    EventReads events = new EventReads(world.pool());
    assertThat(events.find(key.eventId(), true))
        .hasValueSatisfying(event -> {
          assertThat(event.content().body()).containsExactly('{', '}');
          assertThat(event.destinationIds()).containsExactly("dst_a");
          assertThat(event.content().headers().getFirst().name()).isEqualTo("X-Kept-Case");
        });
    assertThat(events.find(key.eventId(), false))
        .hasValueSatisfying(event -> assertThat(event.content().body()).isNull());
  }

  @Test
  void the_shelf_is_listed_newest_first() {
    Destination a = world.destination("dst_a");
    DeliveryKey first = settled(a, new Move.Die(1, Reason.REJECTED));
    DeliveryKey second = settled(a, new Move.Die(1, Reason.GONE));
    ShelfReads shelf = new ShelfReads(world.pool());
    Page<DeadLetterView, Long> page = shelf.page(ShelfFilter.ALL, null, 1);
    assertThat(page.items()).extracting(DeadLetterView::key).containsExactly(second);
    Page<DeadLetterView, Long> rest = shelf.page(ShelfFilter.ALL, page.next(), 1);
    assertThat(rest.items()).extracting(DeadLetterView::key).containsExactly(first);
    assertThat(rest.hasMore()).isFalse();
    assertThat(shelf.page(ShelfFilter.of(Set.of("acme"), "dst_a", Reason.GONE), null, 9).items())
        .hasSize(1);
  }

  @Test
  void why_tells_the_gates_the_budget_the_heads_and_what_goes_before() {
    Destination a = world.destination("dst_a");
    world.deliver(a);
    DeliveryKey second = world.deliver(a);
    assertThat(new WhyReads(world.pool()).delivery("dst_a", second.eventId()))
        .hasValueSatisfying(why -> {
          assertThat(why.ahead())
              .containsExactly(new WaitingView.Ahead(Lane.FIRST, Urgency.INTERACTIVE, 1));
          assertThat(why.heads()).hasSize(1);
          assertThat(why.destination().budget().inFlight()).isZero();
          assertThat(why.now()).isEqualTo(world.clock().instant());
        });
    assertThat(new WhyReads(world.pool()).destination("dst_none")).isEmpty();
  }

  @Test
  void configuration_is_listed_page_by_page() {
    world.destination("dst_a");
    world.destination("dst_b");
    world.ledger().subscribe("dst_b", List.of("order.paid", "order.made"), TestingLedger.BY);
    ConfigurationReads reads = new ConfigurationReads(world.pool());
    Page<DestinationView, String> page = reads.destinations(Set.of(), null, 1);
    assertThat(page.items()).extracting(one -> one.destination().id()).containsExactly("dst_a");
    assertThat(reads.destinations(Set.of("acme"), page.next(), 9).items()).hasSize(1);
    assertThat(reads.tenants(Set.of(), null, 9).items()).hasSize(1);
    assertThat(reads.subscriptions("acme", 9))
        .containsExactly(
            new SubscriptionView("acme", "dst_b", List.of("order.made", "order.paid")));
    assertThatThrownBy(() -> reads.tenants(Set.of(), null, 251))
        .hasMessage("limit: got 251, wanted 1 to 250");
  }

  @Test
  @DisplayName("case 43: depths are counted in the background, ready and later apart")
  void case43_depths_are_sampled() {
    Destination a = world.destination("dst_a");
    world.deliver(a);
    world.deliver(a);
    world.settle(
        world.claim(a, 1).getFirst(), new Move.Retry(1, world.clock().instant().plusSeconds(60)));
    DepthSampler sampler = new DepthSampler(world.pool(), world.clock()::nanos);
    assertThat(sampler.latest()).isEqualTo(Depths.NONE);
    assertThat(sampler.runOnce(Duration.ofSeconds(1))).isTrue();
    Depths.Depth depth = Objects.requireNonNull(sampler.latest().destinations().get("dst_a"));
    assertThat(depth.lanes()).extracting(Depths.LaneDepth::ready).containsExactly(1L, 0L);
    assertThat(depth.lanes()).extracting(Depths.LaneDepth::later).containsExactly(0L, 1L);
    assertThat(depth.oldestReadySince()).isEqualTo(world.clock().instant());
    assertThat(new DeliveryReads(world.pool()).waiting("dst_a", 1)).isEqualTo(1);
  }
}
