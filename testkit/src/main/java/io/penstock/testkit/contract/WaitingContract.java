package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What waits: the walk finds it, age and operators end it. */
public interface WaitingContract extends InWorld {
  /** A rule that must not be asked. */
  BudgetRule NEVER =
      (budgetId, state, now) -> {
        throw new AssertionError("the budget " + budgetId + " must be left alone");
      };

  @Test
  default void the_walk_finds_every_destination_with_something_waiting_page_by_page() {
    LedgerWorld w = world();
    List<String> ids = new ArrayList<>();
    for (Destination destination : w.neighbours(5)) {
      w.deliver(destination);
      ids.add(destination.id());
    }
    ids.sort(null);
    int shard = w.ledger.destinations(ids).getFirst().shard();
    List<String> found = new ArrayList<>();
    String after = null;
    for (int page = 0; page < 3; page++) {
      List<WalkEntry> entries = w.ledger.walk(shard, after, 2);
      entries.forEach(entry -> found.add(entry.destinationId()));
      after = entries.getLast().destinationId();
    }
    assertThat(found).isEqualTo(ids);
    assertThat(w.ledger.walk(shard, after, 2)).isEmpty();
  }

  @Test
  default void the_walk_tells_the_earliest_time_and_the_oldest_age_of_the_heads() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    Instant start = w.now();
    w.deliver(destination);
    w.ledger.settle(
        destination.shard(),
        List.of(Settling.ended(w.claimOne(destination))),
        TestingSettleRules.retryAt(start.plusSeconds(30)));
    assertThat(w.ledger.walk(destination.shard(), null, 9))
        .containsExactly(new WalkEntry("dst_a", start.plusSeconds(30), start));
    w.clock.advance(Duration.ofSeconds(5));
    w.deliver(destination, Urgency.BATCH);
    assertThat(w.ledger.walk(destination.shard(), null, 9))
        .containsExactly(new WalkEntry("dst_a", start.plusSeconds(5), start));
    w.claim(destination);
    assertThat(w.ledger.walk(destination.shard(), null, 9))
        .containsExactly(new WalkEntry("dst_a", start.plusSeconds(30), start));
    w.clock.advance(Duration.ofSeconds(25));
    w.claim(destination);
    assertThat(w.ledger.walk(destination.shard(), null, 9)).isEmpty();
  }

  @Test
  default void the_walk_of_a_shard_does_not_see_the_others() {
    LedgerWorld w = world();
    List<Destination> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Destination destination = w.destination("dst_" + i);
      assertThat(destination.shard()).isBetween(0, w.ledger.shards() - 1);
      w.deliver(destination);
      all.add(destination);
    }
    int seen = 0;
    for (int shard = 0; shard < w.ledger.shards(); shard++) {
      for (WalkEntry entry : w.ledger.walk(shard, null, 99)) {
        assertThat(w.ledger.destinations(List.of(entry.destinationId())).getFirst().shard())
            .isEqualTo(shard);
        seen++;
      }
    }
    assertThat(seen).isEqualTo(all.size());
  }

  @Test
  default void what_is_too_old_expires_oldest_first_with_a_dead_letter() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey oldest = w.retrying(destination, Urgency.INTERACTIVE);
    w.clock.advance(Duration.ofSeconds(1));
    DeliveryKey old = w.deliver(destination, Urgency.BATCH);
    w.clock.advance(Duration.ofSeconds(1));
    Instant limit = w.now();
    DeliveryKey young = w.deliver(destination);

    assertThat(w.ledger.expire(destination.shard(), "dst_a", limit, 1)).isEqualTo(1);
    assertThat(w.row(oldest).reason()).isEqualTo(Reason.EXPIRED);
    assertThat(w.row(oldest).attempt()).isEqualTo(1);
    assertThat(w.row(old).state()).isEqualTo(DeliveryState.PENDING);
    assertThat(w.ledger.expire(destination.shard(), "dst_a", limit, 9)).isEqualTo(1);
    assertThat(w.row(old).state()).isEqualTo(DeliveryState.DEAD);
    assertThat(w.row(young).state()).isEqualTo(DeliveryState.PENDING);
    assertThat(w.inspect.deadLetters("dst_a"))
        .extracting("key", "reason")
        .containsExactly(tuple(oldest, Reason.EXPIRED), tuple(old, Reason.EXPIRED));
    assertThat(w.inspect.deadLetters("dst_a").getFirst().responseHead())
        .as("what the receiver said last")
        .isEqualTo(w.inspect.attempts(oldest).getLast().responseHead());
    assertThat(w.inspect.deadLetters("dst_a").getLast().responseHead()).isEmpty();
  }

  @Test
  default void what_is_leased_does_not_expire() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    w.claimOne(destination);
    assertThat(w.ledger.expire(destination.shard(), "dst_a", w.now().plusSeconds(1), 9)).isZero();
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.LEASED);
  }

  @Test
  default void nothing_expires_behind_a_closed_gate_and_age_counts_from_its_reopening() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    for (GateScope scope :
        List.of(
            new GateScope.Everything(),
            new GateScope.OfTenant(LedgerWorld.TENANT),
            new GateScope.OfDestination("dst_a"))) {
      w.ledger.changeGate(scope, GateAction.PAUSE, BY, NEVER);
      w.clock.advance(Duration.ofHours(100));
      assertThat(w.ledger.expire(key.shard(), "dst_a", w.now(), 9)).isZero();
      w.ledger.changeGate(scope, GateAction.RESUME, BY, (id, state, now) -> requireNonNull(state));
      assertThat(w.ledger.expire(key.shard(), "dst_a", w.now(), 9)).isZero();
      w.clock.advance(Duration.ofMillis(1));
    }
    assertThat(w.row(key).ageFrom()).isBefore(w.now().minus(Duration.ofHours(300)));
    assertThat(w.ledger.expire(key.shard(), "dst_a", w.now(), 9)).isEqualTo(1);
  }

  @Test
  @DisplayName("case 32: what waits for a destination that is deleted ends with that reason")
  default void case32_shelving_ends_what_waits_with_its_reason() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey leased = w.deliver(destination);
    w.claimOne(destination);
    DeliveryKey first = w.deliver(destination);
    w.clock.advance(Duration.ofSeconds(1));
    DeliveryKey second = w.deliver(destination);

    int shard = destination.shard();
    assertThat(w.ledger.shelve(shard, "dst_a", Reason.DESTINATION_DELETED, 1)).isEqualTo(1);
    assertThat(w.row(first).reason()).isEqualTo(Reason.DESTINATION_DELETED);
    assertThat(w.row(second).state()).isEqualTo(DeliveryState.PENDING);
    assertThat(w.ledger.shelve(shard, "dst_a", Reason.DESTINATION_DELETED, 9)).isEqualTo(1);
    assertThat(w.ledger.shelve(shard, "dst_a", Reason.DESTINATION_DELETED, 9)).isZero();
    assertThat(w.row(leased).state()).isEqualTo(DeliveryState.LEASED);
    assertThat(w.inspect.deadLetters("dst_a"))
        .extracting("reason")
        .containsExactly(Reason.DESTINATION_DELETED, Reason.DESTINATION_DELETED);
  }

  @Test
  default void what_waits_can_be_cancelled_and_its_budget_is_left_alone() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey retrying = w.retrying(destination, Urgency.INTERACTIVE);
    DeliveryKey pending = w.deliver(destination);
    for (DeliveryKey key : List.of(pending, retrying)) {
      assertThat(w.ledger.cancel(key, BY, NEVER)).isTrue();
      assertThat(w.row(key).state()).isEqualTo(DeliveryState.CANCELLED);
      assertThat(w.ledger.cancel(key, BY, NEVER)).isFalse();
    }
    assertThat(w.claim(destination).leased()).isEmpty();
    assertThat(w.inspect.deadLetters("dst_a")).isEmpty();
  }

  @Test
  default void a_cancelled_lease_frees_its_slot_once_and_its_settle_is_stale() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Leased lease = w.claimOne(destination);
    AtomicInteger freed = new AtomicInteger();
    BudgetRule free =
        (budgetId, state, now) -> {
          freed.incrementAndGet();
          BudgetState held = requireNonNull(state);
          assertThat(held.inFlight()).isEqualTo(1);
          return Budget.feed(
              held, LedgerWorld.WIDE, new Feedback.HandedBack(Settling.stamp(lease)), now);
        };
    assertThat(w.ledger.cancel(key, BY, free)).isTrue();
    assertThat(w.inFlight(destination)).isZero();
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.CANCELLED);
    assertThat(
            w.ledger
                .settle(key.shard(), List.of(Settling.ended(lease)), TestingSettleRules.delivers())
                .applied())
        .isEmpty();
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.CANCELLED);
    assertThat(w.inFlight(destination)).isZero();
    assertThat(freed).hasValue(1);
  }

  @Test
  default void what_has_ended_cannot_be_cancelled() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey delivered = w.delivered(destination);
    DeliveryKey dead = w.dead(destination);
    assertThat(w.ledger.cancel(delivered, BY, NEVER)).isFalse();
    assertThat(w.ledger.cancel(dead, BY, NEVER)).isFalse();
    assertThat(w.row(delivered).state()).isEqualTo(DeliveryState.DELIVERED);
    assertThat(w.row(dead).state()).isEqualTo(DeliveryState.DEAD);
  }
}
