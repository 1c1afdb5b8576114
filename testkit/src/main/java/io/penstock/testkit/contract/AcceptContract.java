package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static io.penstock.testkit.contract.LedgerWorld.TENANT;
import static io.penstock.testkit.contract.LedgerWorld.ofTenant;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Acceptance.Fanned;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Events in: fan-out, bytes, idempotency. */
public interface AcceptContract extends InWorld {

  @Test
  default void an_event_goes_to_every_subscriber_of_its_type_and_tenant() {
    LedgerWorld w = world();
    w.ledger.createTenant("other", "Other", BY);
    w.ledger.subscribe(w.destination("dst_all").id(), List.of(), BY);
    w.ledger.subscribe(w.destination("dst_paid").id(), List.of("order.paid", "x"), BY);
    w.ledger.subscribe(w.destination("dst_made").id(), List.of("order.made"), BY);
    w.ledger.subscribe(w.destination("dst_alien", "other", LedgerWorld.WIDE).id(), List.of(), BY);
    w.destination("dst_unsubscribed");

    NewEvent event = w.event();
    Acceptance answer = w.accept(event);

    assertThat(answer).isInstanceOf(Acceptance.Stored.class);
    assertThat(((Acceptance.Stored) answer).deliveries())
        .containsExactlyInAnyOrder(
            new Fanned("dst_all", DeliveryState.PENDING, null),
            new Fanned("dst_paid", DeliveryState.PENDING, null));
  }

  @Test
  default void a_new_delivery_waits_on_the_first_lane_with_nothing_spent() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryRow row = w.row(w.deliver(destination, Urgency.BATCH));
    assertThat(row.state()).isEqualTo(DeliveryState.PENDING);
    assertThat(row.lane()).isEqualTo(Lane.FIRST);
    assertThat(row.urgency()).isEqualTo(Urgency.BATCH);
    assertThat(row.tenantId()).isEqualTo(TENANT);
    assertThat(row.attempt()).isZero();
    assertThat(row.notBefore()).isEqualTo(w.now());
    assertThat(row.ageFrom()).isEqualTo(w.now());
    assertThat(row.size()).isEqualTo(2);
  }

  @Test
  default void an_event_without_subscribers_is_stored_all_the_same() {
    LedgerWorld w = world();
    NewEvent event = w.event();
    assertThat(w.accept(event)).isEqualTo(new Acceptance.Stored(event.eventId(), List.of()));
  }

  @Test
  default void explicit_destinations_win_over_subscriptions_and_count_once() {
    LedgerWorld w = world();
    w.ledger.subscribe(w.destination("dst_subscribed").id(), List.of(), BY);
    w.destination("dst_named");
    Acceptance answer = w.accept(w.event("dst_named", "dst_named"));
    assertThat(((Acceptance.Stored) answer).deliveries())
        .containsExactly(new Fanned("dst_named", DeliveryState.PENDING, null));
  }

  @Test
  default void what_is_unknown_is_answered_by_itself_and_stores_nothing() {
    LedgerWorld w = world();
    w.ledger.createTenant("other", "Other", BY);
    Destination mine = w.destination("dst_mine");
    w.destination("dst_alien", "other", LedgerWorld.WIDE);
    NewEvent good = w.event("dst_mine");
    NewEvent halfKnown = w.event("dst_mine", "dst_alien");

    List<Acceptance> answers =
        w.ledger.accept(
            List.of(ofTenant(w.event("dst_mine"), "nobody"), halfKnown, w.event("no"), good));

    assertThat(answers)
        .containsExactly(
            new Acceptance.UnknownTenant("nobody"),
            new Acceptance.UnknownDestination("dst_alien"),
            new Acceptance.UnknownDestination("no"),
            new Acceptance.Stored(
                good.eventId(), List.of(new Fanned("dst_mine", DeliveryState.PENDING, null))));
    assertThat(w.claim(mine).leased()).hasSize(1);
    assertThat(w.ledger.body(mine.shard(), halfKnown.eventId())).isEmpty();
  }

  @Test
  default void a_disabled_destination_gets_a_dead_letter_and_the_others_their_delivery() {
    LedgerWorld w = world();
    Destination off = w.destination("dst_off");
    w.destination("dst_on");
    w.ledger.changeGate(
        new GateScope.OfDestination("dst_off"), GateAction.DISABLE, BY, WaitingContract.NEVER);

    NewEvent event = w.event("dst_off", "dst_on");
    Acceptance answer = w.accept(event);

    assertThat(((Acceptance.Stored) answer).deliveries())
        .containsExactlyInAnyOrder(
            new Fanned("dst_off", DeliveryState.DEAD, Reason.DESTINATION_DISABLED),
            new Fanned("dst_on", DeliveryState.PENDING, null));
    DeliveryKey key = new DeliveryKey(off.shard(), "dst_off", event.eventId());
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.DEAD);
    assertThat(w.row(key).reason()).isEqualTo(Reason.DESTINATION_DISABLED);
    assertThat(w.inspect.deadLetters("dst_off"))
        .singleElement()
        .satisfies(letter -> assertThat(letter.key()).isEqualTo(key));
  }

  @Test
  default void bytes_headers_and_type_come_back_as_they_were_posted() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    byte[] body = {0, (byte) 0xff, '{', 0, (byte) 0xc3, 0x28};
    NewEvent event = w.event(Urgency.BATCH, body, "key-1", "dst_a");
    w.accept(event);
    Leased leased = w.claimOne(destination);
    assertThat(leased.content().body()).isEqualTo(body);
    assertThat(leased.content().headers()).isEqualTo(event.headers());
    assertThat(leased.content().type()).isEqualTo("order.paid");
    assertThat(leased.content().contentType()).isEqualTo("application/json");
    assertThat(leased.content().acceptedAt()).isEqualTo(w.now());
    assertThat(leased.content().idempotencyKey()).isEqualTo("key-1");
    assertThat(w.ledger.body(destination.shard(), event.eventId())).contains(body);
  }

  @Test
  default void what_an_event_is_about_comes_back_with_its_lease() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.accept(LedgerWorld.about(w.event("dst_a"), "https://example.com/ä?page=1"));
    w.deliver(destination);
    List<Leased> leased = w.claim(destination).leased();
    assertThat(leased.getFirst().content().item()).isEqualTo("https://example.com/ä?page=1");
    assertThat(leased.getLast().content().item()).isNull();
  }

  @Test
  default void without_a_key_the_event_id_is_the_key() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    assertThat(w.claimOne(destination).content().idempotencyKey())
        .isEqualTo(key.eventId().toString());
  }

  @Test
  @DisplayName("case 49: bodies over 8 KiB do not come with the claim but are read at send time")
  default void case49_large_bodies_are_read_late() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    byte[] large = new byte[8 * 1024 + 1];
    large[8 * 1024] = 7;
    DeliveryKey inline = w.deliver(destination, Urgency.INTERACTIVE, new byte[8 * 1024]);
    DeliveryKey late = w.deliver(destination, Urgency.INTERACTIVE, large);

    List<Leased> leased = w.claim(destination).leased();

    assertThat(LedgerWorld.keys(leased)).containsExactly(inline, late);
    assertThat(leased.getFirst().content().body()).hasSize(8 * 1024);
    assertThat(leased.getLast().content().body()).isNull();
    assertThat(leased.getLast().size()).isEqualTo(8 * 1024 + 1);
    assertThat(w.ledger.body(late.shard(), late.eventId())).contains(large);
  }

  @Test
  default void a_repeated_key_gets_the_first_answer_and_no_second_delivery() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    NewEvent first = w.event(Urgency.INTERACTIVE, new byte[] {1}, "key-1", "dst_a");
    NewEvent repeat = w.event(Urgency.INTERACTIVE, new byte[] {1}, "key-1", "dst_a");
    NewEvent other = w.event(Urgency.INTERACTIVE, new byte[] {2}, "key-1", "dst_a");

    List<Fanned> fanned = List.of(new Fanned("dst_a", DeliveryState.PENDING, null));
    assertThat(w.accept(first)).isEqualTo(new Acceptance.Stored(first.eventId(), fanned));
    assertThat(w.accept(repeat)).isEqualTo(new Acceptance.Replayed(first.eventId(), fanned));
    assertThat(w.accept(other)).isEqualTo(new Acceptance.KeyConflict(first.eventId()));
    assertThat(w.claim(destination).leased()).hasSize(1);
  }

  @Test
  default void a_key_is_the_tenants_own_and_ends_with_the_window() {
    LedgerWorld w = world();
    w.ledger.createTenant("other", "Other", BY);
    NewEvent first = w.event(Urgency.BATCH, new byte[] {1}, "key-1");
    assertThat(w.accept(first)).isInstanceOf(Acceptance.Stored.class);
    NewEvent others = w.event(Urgency.BATCH, new byte[] {2}, "key-1");
    assertThat(w.accept(ofTenant(others, "other"))).isInstanceOf(Acceptance.Stored.class);
    w.clock.advance(Duration.ofDays(3).minusMillis(1));
    assertThat(w.accept(w.event(Urgency.BATCH, new byte[] {1}, "key-1")))
        .isEqualTo(new Acceptance.Replayed(first.eventId(), List.of()));
    w.clock.advance(Duration.ofMillis(1));
    assertThat(w.accept(w.event(Urgency.BATCH, new byte[] {2}, "key-1")))
        .isInstanceOf(Acceptance.Stored.class);
  }

  @Test
  default void the_same_key_twice_in_one_call_is_stored_once() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    NewEvent first = w.event(Urgency.BATCH, new byte[] {1}, "key-1", "dst_a");
    NewEvent repeat = w.event(Urgency.BATCH, new byte[] {1}, "key-1", "dst_a");
    NewEvent other = w.event(Urgency.BATCH, new byte[] {2}, "key-1", "dst_a");
    List<Acceptance> answers = w.ledger.accept(List.of(first, repeat, other));
    assertThat(answers.get(0)).isInstanceOf(Acceptance.Stored.class);
    assertThat(answers.get(1)).isInstanceOf(Acceptance.Replayed.class);
    assertThat(answers.get(2)).isEqualTo(new Acceptance.KeyConflict(first.eventId()));
    assertThat(w.claim(destination).leased()).hasSize(1);
  }

  @Test
  @DisplayName("case 31: many posts with one key at once store one event and get one answer")
  default void case31_posts_with_one_key_at_once_are_stored_once() throws Exception {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    for (int round = 0; round < 10; round++) {
      String key = "key-" + round;
      List<NewEvent> posts = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        posts.add(w.event(Urgency.BATCH, new byte[] {1}, key, "dst_a"));
      }
      List<Acceptance> answers = AtOnce.all(posts, w::accept);
      List<Acceptance.Stored> stored = AtOnce.only(answers, Acceptance.Stored.class);
      assertThat(stored).hasSize(1);
      Acceptance.Replayed same =
          new Acceptance.Replayed(stored.getFirst().eventId(), stored.getFirst().deliveries());
      assertThat(AtOnce.only(answers, Acceptance.Replayed.class)).hasSize(7).containsOnly(same);
    }
    assertThat(w.claim(destination).leased()).hasSize(10);
  }
}
