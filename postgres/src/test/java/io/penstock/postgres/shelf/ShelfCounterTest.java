package io.penstock.postgres.shelf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.limits.AlertThresholds;
import io.penstock.engine.limits.BacklogBound;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.engine.limits.RetentionLimits;
import io.penstock.engine.limits.TenantLimits;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.read.DeadLetterView;
import io.penstock.postgres.read.GroupReads;
import io.penstock.postgres.read.Page;
import io.penstock.postgres.read.ShelfFilter;
import io.penstock.postgres.read.ShelfGroupView;
import io.penstock.postgres.read.ShelfReads;
import io.penstock.postgres.retention.Retention;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shelf's groups are right, whatever comes and goes. */
@PostgresTest
class ShelfCounterTest {
  private static final Duration ENOUGH = Duration.ofMinutes(1);

  private final DatabaseSettings settings;
  private TestingLedger world;
  private Destination destination;

  ShelfCounterTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  void begin() {
    world = TestingLedger.empty(settings, 1);
    destination = world.destination("dst_a");
  }

  private DeliveryKey dies(Destination of, Reason reason) {
    DeliveryKey key = world.deliver(of);
    Leased lease = world.claim(of, 1).getFirst();
    world.settle(lease, new Move.Die(1, reason));
    return key;
  }

  /** Until nothing is left to do: a barrier is set in one run and passed in the next. */
  private void count() {
    ShelfCounter counter = new ShelfCounter(world.pool(), world.clock()::nanos);
    counter.runOnce(ENOUGH);
    counter.runOnce(ENOUGH);
  }

  private List<ShelfGroupView> groups() {
    return new GroupReads(world.pool()).page(GroupReads.Filter.ALL, true, null, 250).items();
  }

  private long letters() {
    return groups().stream().mapToLong(ShelfGroupView::letters).sum();
  }

  private List<DeadLetterView> shelf(ShelfFilter filter) {
    return new ShelfReads(world.pool()).page(filter, null, 250).items();
  }

  private Handle open() {
    return Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void what_comes_to_the_shelf_is_counted_by_its_cause(int shards) {
    world = TestingLedger.empty(settings, shards);
    Destination a = world.destination("dst_a");
    Destination b = world.destination("dst_b");
    Instant first = world.clock().instant();
    dies(a, Reason.REJECTED);
    world.clock().advance(Duration.ofMinutes(1));
    dies(a, Reason.REJECTED);
    dies(a, Reason.GONE);
    dies(b, Reason.REJECTED);
    count();
    assertThat(groups())
        .extracting(ShelfGroupView::destinationId, ShelfGroupView::reason, ShelfGroupView::letters)
        .contains(
            org.assertj.core.groups.Tuple.tuple("dst_a", Reason.REJECTED, 2L),
            org.assertj.core.groups.Tuple.tuple("dst_a", Reason.GONE, 1L),
            org.assertj.core.groups.Tuple.tuple("dst_b", Reason.REJECTED, 1L));
    ShelfGroupView biggest = groups().getFirst();
    assertThat(biggest.firstAt()).isEqualTo(first);
    assertThat(biggest.lastAt()).isEqualTo(first.plusSeconds(60));
    assertThat(new ShelfReads(world.pool()).find(biggest.exampleNo()))
        .hasValueSatisfying(one -> {
          assertThat(one.letter().key().destinationId()).isEqualTo("dst_a");
          assertThat(one.payloadKept()).isTrue();
          assertThat(one.payloadBytes()).isEqualTo(2);
        });
    assertThat(new GroupReads(world.pool()).countedAt()).contains(world.clock().instant());
    assertThat(
            new GroupReads(world.pool())
                .page(new GroupReads.Filter(Set.of("other"), null, null), false, null, 9)
                .items())
        .isEmpty();
    assertThat(
            new GroupReads(world.pool())
                .page(
                    new GroupReads.Filter(Set.of("acme"), "dst_a", Reason.REJECTED), false, null, 9)
                .items())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.letters()).isEqualTo(2);
          assertThat(one.phrase()).isNull();
        });
  }

  @Test
  void what_is_released_leaves_its_group_and_the_list_and_comes_back_when_it_dies_again() {
    DeliveryKey key = dies(destination, Reason.REJECTED);
    dies(destination, Reason.REJECTED);
    count();
    assertThat(letters()).isEqualTo(2);

    assertThat(world.ledger().redrive(key, TestingLedger.BY)).isTrue();
    count();
    assertThat(letters()).isEqualTo(1);
    assertThat(shelf(ShelfFilter.ALL)).hasSize(1);
    assertThat(shelf(new ShelfFilter(Set.of(), null, null, null, null, null, null, null, false)))
        .singleElement()
        .satisfies(one -> assertThat(one.key()).isEqualTo(key));
    count();
    assertThat(letters()).as("a departure is booked once").isEqualTo(1);

    world.settle(world.claim(destination, 1).getFirst(), new Move.Die(1, Reason.REJECTED));
    count();
    assertThat(letters()).isEqualTo(2);
    assertThat(shelf(ShelfFilter.ALL)).hasSize(2);
    assertThat(shelf(new ShelfFilter(Set.of(), null, null, null, null, null, null, null, null)))
        .hasSize(3);
  }

  @Test
  void one_that_leaves_before_it_was_counted_never_counts() {
    DeliveryKey key = dies(destination, Reason.REJECTED);
    world.ledger().redrive(key, TestingLedger.BY);
    count();
    assertThat(groups()).isEmpty();
  }

  @Test
  void a_number_that_commits_late_is_counted_all_the_same() {
    dies(destination, Reason.REJECTED);
    try (Handle late = open()) {
      late.begin();
      // As a settle does: it writes, and so has an id, before it takes a number.
      late.execute("update penstock.budget set state = state");
      late.execute(
          """
          insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no,
            reason, response_head, attempts, first_seen, last_seen)
          values (0, 'dst_a', '0199c0de-0000-7000-8000-000000000001', 'acme', 1,
            'gone', '', 1, '2026-03-10', '2026-03-10')
          """);
      // A higher number is committed while the lower one is not.
      try (Handle other = open()) {
        other.execute(
            """
            insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no,
              reason, response_head, attempts, first_seen, last_seen)
            values (0, 'dst_a', '0199c0de-0000-7000-8000-000000000002', 'acme', 1,
              'expired', '', 1, '2026-03-10', '2026-03-10')
            """);
      }
      count();
      count();
      assertThat(letters()).as("nothing beyond what is surely committed").isLessThan(3);
      late.commit();
    }
    count();
    count();
    assertThat(letters()).isEqualTo(3);
  }

  @Test
  @DisplayName("case 45: whatever is at the groups, deliveries end and are settled")
  void case45_nothing_that_settles_waits_for_the_counting() {
    dies(destination, Reason.REJECTED);
    count();
    try (Handle slow = open()) {
      slow.begin();
      slow.execute(
          "lock table penstock.shelf_group, penstock.shelf_count in access exclusive mode");
      for (int i = 0; i < 20; i++) {
        dies(destination, Reason.REJECTED); // its statements give up after a second or five
      }
      slow.rollback();
    }
    count();
    assertThat(letters()).isEqualTo(21);
  }

  @Test
  @DisplayName(
      "case 32: what waited for a destination that is deleted lies on the shelf and says so")
  void case32_the_shelf_names_the_deletion_as_the_reason() {
    DeliveryKey key = world.deliver(destination);
    world.ledger().deleteDestination("dst_a", TestingLedger.BY);
    world.ledger().shelve(0, "dst_a", Reason.DESTINATION_DELETED, 9);
    count();
    assertThat(shelf(ShelfFilter.of(Set.of("acme"), "dst_a", Reason.DESTINATION_DELETED)))
        .extracting(DeadLetterView::key)
        .containsExactly(key);
    assertThat(groups())
        .singleElement()
        .satisfies(one -> assertThat(one.reason()).isEqualTo(Reason.DESTINATION_DELETED));
  }

  @Test
  @DisplayName("case 16: while a destination is paused nothing reaches the shelf")
  void case16_a_pause_keeps_everything_off_the_shelf() {
    world.deliver(destination);
    world
        .ledger()
        .changeGate(
            new GateScope.OfDestination("dst_a"),
            GateAction.PAUSE,
            TestingLedger.BY,
            (id, state, now) -> Objects.requireNonNull(state));
    world.deliver(destination);
    world.clock().advance(Duration.ofDays(20));
    assertThat(world.ledger().expire(0, "dst_a", world.clock().instant(), 9)).isZero();
    count();
    assertThat(shelf(ShelfFilter.ALL)).isEmpty();
    assertThat(groups()).isEmpty();
  }

  @Test
  @DisplayName(
      "case 15: what comes to a disabled destination lies on the shelf once, with a reason")
  void case15_a_disabled_destination_puts_new_events_on_the_shelf() {
    world
        .ledger()
        .changeGate(
            new GateScope.OfDestination("dst_a"),
            GateAction.DISABLE,
            TestingLedger.BY,
            (id, state, now) -> Objects.requireNonNull(state));
    DeliveryKey key = world.deliver(destination);
    count();
    assertThat(shelf(ShelfFilter.of(Set.of(), "dst_a", Reason.DESTINATION_DISABLED)))
        .singleElement()
        .satisfies(one -> {
          assertThat(one.key()).isEqualTo(key);
          assertThat(one.eventType()).isEqualTo("order.paid");
          assertThat(one.outcome()).isNull();
        });
    assertThat(letters()).isEqualTo(1);
  }

  @Test
  void groups_are_counted_anew_when_phrases_are_made_in_another_way() {
    DeliveryKey key = dies(destination, Reason.REJECTED);
    dies(destination, Reason.REJECTED);
    world.ledger().redrive(key, TestingLedger.BY);
    count();
    try (Handle handle = open()) {
      handle.execute("update penstock.shelf_count set normaliser = 0");
      handle.execute("update penstock.shelf_group set phrase = 'old words', letters = 77");
    }
    count();
    assertThat(letters()).isEqualTo(1);
    assertThat(groups().getFirst().phrase()).isNotEqualTo("old words");
  }

  @Test
  @DisplayName(
      "case 42: retention of the shelf goes by tenant and reason, and keeps the groups right")
  void case42_retention_by_reason_takes_what_is_too_old_out_of_its_group() {
    for (int i = 0; i < 5; i++) {
      dies(destination, Reason.REJECTED);
      dies(destination, Reason.GONE);
    }
    DeliveryKey released = dies(destination, Reason.GONE);
    count();
    world.ledger().redrive(released, TestingLedger.BY);
    count();
    assertThat(letters()).isEqualTo(10);

    world.clock().advance(Duration.ofDays(15));
    DeliveryKey young = dies(destination, Reason.GONE);
    Limits limits =
        new LimitsDocument(
            DestinationLimits.DEFAULT,
            Map.of(),
            TenantLimits.DEFAULT,
            Map.of(
                "acme",
                new TenantLimits(
                    BacklogBound.NONE, null, Map.of(Reason.GONE, Duration.ofDays(14)))),
            Map.of(),
            RetentionLimits.DEFAULT,
            AlertThresholds.DEFAULT);
    Retention retention = new Retention(settings, world.pool(), limits, world.clock()::nanos);
    assertThat(retention.runOnce(ENOUGH)).containsEntry("dead_letters", 6);
    count();

    assertThat(letters()).isEqualTo(6);
    assertThat(shelf(ShelfFilter.of(Set.of(), null, Reason.GONE)))
        .extracting(DeadLetterView::key)
        .containsExactly(young);
    assertThat(shelf(ShelfFilter.of(Set.of(), null, Reason.REJECTED))).hasSize(5);

    world.clock().advance(Duration.ofDays(16));
    retention.runOnce(ENOUGH);
    count();
    assertThat(letters()).isZero();
    assertThat(shelf(ShelfFilter.ALL)).isEmpty();
  }

  @Test
  void a_dead_letter_is_never_changed() {
    dies(destination, Reason.REJECTED);
    try (Handle handle = open()) {
      assertThatThrownBy(() -> handle.execute("update penstock.dead_letter set reason = 'gone'"))
          .hasMessageContaining("is never changed");
      assertThatThrownBy(() ->
              handle.execute(
                  """
                  insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id,
                    lease_no, reason, response_head, attempts, first_seen, last_seen)
                  select shard, destination_id, event_id, tenant_id, lease_no, 'cancelled',
                    response_head, attempts, first_seen, last_seen
                  from penstock.dead_letter
                  """))
          .hasMessageContaining("dead_letter_reason");
    }
  }

  @Test
  void the_list_is_filtered_by_everything_at_once_and_page_by_page() {
    Instant start = world.clock().instant();
    List<DeliveryKey> keys = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      world.clock().advance(Duration.ofHours(1));
      keys.add(dies(destination, i % 3 == 0 ? Reason.GONE : Reason.REJECTED));
    }
    ShelfFilter filter =
        new ShelfFilter(
            Set.of("acme"),
            "dst_a",
            "delivered",
            Reason.REJECTED,
            200,
            "order.paid",
            start.plus(Duration.ofHours(3)),
            start.plus(Duration.ofHours(6)),
            true);
    assertThat(shelf(filter))
        .extracting(DeadLetterView::key)
        .containsExactly(keys.get(4), keys.get(2));
    List<DeliveryKey> seen = new ArrayList<>();
    ShelfReads reads = new ShelfReads(world.pool());
    Page<DeadLetterView, Long> page = reads.page(ShelfFilter.ALL, null, 2);
    while (true) {
      page.items().forEach(one -> seen.add(one.key()));
      if (!page.hasMore()) {
        break;
      }
      page = reads.page(ShelfFilter.ALL, page.next(), 2);
    }
    assertThat(seen).isEqualTo(keys.reversed());
    assertThat(shelf(new ShelfFilter(Set.of(), null, null, null, 500, null, null, null, true)))
        .isEmpty();
    assertThat(
            shelf(
                new ShelfFilter(Set.of(), null, null, null, null, "order.made", null, null, true)))
        .isEmpty();
    assertThat(shelf(ShelfFilter.of(Set.of("other"), null, null))).isEmpty();
  }

  @Test
  void the_payload_is_there_as_long_as_the_shelf_keeps_it_also_when_its_day_is_dropped() {
    dies(destination, Reason.REJECTED);
    DeadLetterView letter = shelf(ShelfFilter.ALL).getFirst();
    assertThat(letter.eventType()).isEqualTo("order.paid");
    assertThat(letter.eventSha256()).hasSize(64);
    ShelfReads reads = new ShelfReads(world.pool());
    for (int days : new int[] {9, 11, 9}) {
      world.clock().advance(Duration.ofDays(days));
      new Retention(settings, world.pool(), LimitsDocument.DEFAULT, world.clock()::nanos)
          .runOnce(ENOUGH);
      assertThat(reads.find(letter.deadLetterNo()))
          .hasValueSatisfying(one -> assertThat(one.payloadKept()).isTrue());
    }
    long left =
        world
            .pool()
            .read(
                Use.CALLER,
                handle ->
                    handle
                        .createQuery("select count(*) from penstock.event")
                        .mapTo(Long.class)
                        .one());
    assertThat(left).as("its day was dropped").isZero();
    world.clock().advance(Duration.ofDays(2));
    new Retention(settings, world.pool(), LimitsDocument.DEFAULT, world.clock()::nanos)
        .runOnce(ENOUGH);
    assertThat(reads.find(letter.deadLetterNo())).isEmpty();
  }
}
