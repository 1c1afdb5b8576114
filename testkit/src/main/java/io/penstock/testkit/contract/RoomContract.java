package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Acceptance.Fanned;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Case 46: what is accepted, shelved and refused when backlogs are full. */
public interface RoomContract extends InWorld {
  /** The bound that is hit here. */
  Room.Bound BOUND = new Room.Bound("it", 7, 7, Duration.ofSeconds(3));

  private static Room without(String... destinationIds) {
    Set<String> full = Set.of(destinationIds);
    return (_, id) -> full.contains(id) ? new Room.DestinationFull(BOUND) : new Room.Free();
  }

  private static Acceptance accept(LedgerWorld w, NewEvent event, Room room) {
    return w.ledger.accept(List.of(event), room).getFirst();
  }

  @Test
  @DisplayName("case 46: a full destination's delivery goes to the shelf, the others wait")
  default void a_fan_out_is_not_refused_for_one_full_destination() {
    LedgerWorld w = world();
    w.destination("dst_full");
    w.destination("dst_free");

    NewEvent event = w.event("dst_full", "dst_free");
    Acceptance answer = accept(w, event, without("dst_full"));

    assertThat(((Acceptance.Stored) answer).deliveries())
        .containsExactlyInAnyOrder(
            new Fanned("dst_full", DeliveryState.DEAD, Reason.BACKLOG_FULL),
            new Fanned("dst_free", DeliveryState.PENDING, null));
  }

  @Test
  @DisplayName("case 46: with all destinations full the event is refused and nothing is stored")
  default void an_event_is_refused_when_no_destination_has_room() {
    LedgerWorld w = world();
    w.destination("dst_a");
    w.destination("dst_b");
    NewEvent event = w.event("dst_a", "dst_b");

    assertThat(accept(w, event, without("dst_a", "dst_b"))).isEqualTo(BOUND.refused());
    // It was not kept: the same event comes again as new.
    assertThat(accept(w, event, Room.ENDLESS)).isInstanceOf(Acceptance.Stored.class);
  }

  @Test
  @DisplayName("case 46: a full tenant is refused alone")
  default void a_full_tenant_is_refused() {
    LedgerWorld w = world();
    w.destination("dst_a");
    Room room = (_, _) -> new Room.TenantFull(BOUND);

    List<Acceptance> answers = w.ledger.accept(List.of(w.event("dst_a"), w.event()), room);

    assertThat(answers.getFirst()).isEqualTo(BOUND.refused());
    assertThat(answers.getLast())
        .as("nothing of it would wait")
        .isInstanceOf(Acceptance.Stored.class);
  }

  @Test
  @DisplayName("case 31: a repeated key gets its first answer also while there is no room")
  default void a_repeat_is_answered_without_room() {
    LedgerWorld w = world();
    w.destination("dst_a");
    NewEvent first = w.event(Urgency.BATCH, new byte[] {1}, "key-1", "dst_a");
    NewEvent repeat = w.event(Urgency.BATCH, new byte[] {1}, "key-1", "dst_a");
    NewEvent other = w.event(Urgency.BATCH, new byte[] {2}, "key-1", "dst_a");
    NewEvent fresh = w.event(Urgency.BATCH, new byte[] {1}, "key-2", "dst_a");
    w.accept(first);

    List<Acceptance> answers = w.ledger.accept(List.of(repeat, fresh), without("dst_a"));

    assertThat(answers.getFirst())
        .isEqualTo(
            new Acceptance.Replayed(
                first.eventId(), List.of(new Fanned("dst_a", DeliveryState.PENDING, null))));
    assertThat(answers.getLast()).isEqualTo(BOUND.refused());
    assertThat(accept(w, other, without("dst_a")))
        .isEqualTo(new Acceptance.KeyConflict(first.eventId()));
  }

  @Test
  default void a_disabled_destination_says_so_though_it_is_full_too() {
    LedgerWorld w = world();
    w.destination("dst_a");
    w.ledger.changeGate(
        new GateScope.OfDestination("dst_a"), GateAction.DISABLE, BY, WaitingContract.NEVER);
    Acceptance answer = accept(w, w.event("dst_a"), without("dst_a"));
    assertThat(((Acceptance.Stored) answer).deliveries())
        .containsExactly(new Fanned("dst_a", DeliveryState.DEAD, Reason.DESTINATION_DISABLED));
  }
}
