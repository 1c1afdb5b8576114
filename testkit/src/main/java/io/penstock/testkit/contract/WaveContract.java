package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static io.penstock.testkit.contract.LedgerWorld.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Template;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waves: batches that are due over a window. */
public interface WaveContract extends InWorld {
  Duration WINDOW = Duration.ofHours(6);

  private NewEvent about(String item, @Nullable String key, String... destinations) {
    NewEvent plain = world().event(Urgency.BATCH, new byte[] {'1'}, key, destinations);
    return new NewEvent(
        plain.eventId(),
        plain.tenantId(),
        plain.type(),
        plain.contentType(),
        plain.headers(),
        plain.body(),
        plain.urgency(),
        plain.idempotencyKey(),
        plain.destinationIds(),
        item,
        null,
        WINDOW);
  }

  private List<NewEvent> wave(int items, String... destinations) {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      events.add(about("item-" + i, null, destinations));
    }
    assertThat(world().ledger.accept(events)).hasOnlyElementsOfType(Acceptance.Stored.class);
    return events;
  }

  @Test
  @DisplayName("case 53: each item of a wave is due at its place of the window, and not before")
  default void each_item_is_due_at_its_place() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    Destination other = w.destination("dst_b");
    Instant began = w.now();
    Instant first = Instant.MAX;
    for (NewEvent event : wave(50, "dst_a", "dst_b")) {
      for (Destination one : List.of(destination, other)) {
        Instant due = event.dueAt(one.id(), began);
        var row = w.row(new DeliveryKey(one.shard(), one.id(), event.eventId()));
        assertThat(row.notBefore()).isEqualTo(due);
        assertThat(row.ageFrom()).as("its age counts from when it is due").isEqualTo(due);
        first = one.equals(destination) && due.isBefore(first) ? due : first;
      }
    }
    assertThat(w.ledger.walk(destination.shard(), null, 10))
        .filteredOn(entry -> entry.destinationId().equals("dst_a"))
        .extracting(WalkEntry::earliestNotBefore)
        .containsExactly(first);
    int came = 0;
    for (int minute = 0; minute < 6 * 60; minute++) {
      w.clock.advance(Duration.ofMinutes(1));
      for (Leased lease : w.claim(destination).leased()) {
        assertThat(lease.notBefore()).isBetween(w.now().minusSeconds(60), w.now());
        came++;
      }
    }
    assertThat(came).isEqualTo(50);
  }

  @Test
  default void a_wave_that_is_posted_again_under_its_keys_stays_where_it_is() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    NewEvent first = about("item", "wave-1-item", "dst_a");
    assertThat(w.accept(first)).isInstanceOf(Acceptance.Stored.class);
    DeliveryKey key = new DeliveryKey(destination.shard(), "dst_a", first.eventId());
    Instant due = w.row(key).notBefore();
    w.clock.advance(Duration.ofMinutes(30));
    assertThat(w.accept(about("item", "wave-1-item", "dst_a")))
        .isInstanceOf(Acceptance.Replayed.class);
    assertThat(w.row(key).notBefore()).isEqualTo(due);
  }

  @Test
  default void what_waits_for_its_place_does_not_grow_too_old() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    wave(20, "dst_a");
    w.clock.advance(WINDOW.dividedBy(2));
    Instant agedBefore = w.now().minus(Duration.ofMinutes(1));
    int expired = w.ledger.expire(destination.shard(), "dst_a", agedBefore, 100);
    assertThat(expired).isBetween(3, 17);
    w.clock.advance(WINDOW.dividedBy(2));
    assertThat(w.claim(destination).leased()).hasSize(20 - expired);
  }

  @Test
  default void a_schedule_sends_a_wave_and_the_same_item_has_the_same_place_in_each() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    Template template =
        new Template(
            "page.due",
            "application/json",
            List.of(),
            new byte[] {'1'},
            Urgency.BATCH,
            List.of("dst_a"),
            List.of("x", "y", "z"),
            Duration.ofMinutes(30));
    Recurrence hourly = new Recurrence.Every(Duration.ofHours(1), Instant.EPOCH);
    w.schedules.create(
        now -> Schedule.made("sch_a", TENANT, hourly, CatchUp.DEFAULT, template, "key:a", "", now),
        BY);
    assertThat(w.schedules.find("sch_a").orElseThrow().template().items())
        .containsExactly("x", "y", "z");
    assertThat(w.schedules.find("sch_a").orElseThrow().template().over())
        .isEqualTo(Duration.ofMinutes(30));
    List<Set<Duration>> waves = new ArrayList<>();
    for (int hour = 0; hour < 2; hour++) {
      Instant at = w.clock.advance(Duration.ofHours(1));
      for (int shard = 0; shard < w.ledger.shards(); shard++) {
        w.schedules.fire(shard, w::eventId, Room.ENDLESS);
      }
      assertThat(w.claim(destination).leased()).isEmpty();
      w.clock.advance(Duration.ofMinutes(30));
      Set<Duration> places = new HashSet<>();
      for (Leased lease : w.claim(destination).leased()) {
        places.add(Duration.between(at, lease.notBefore()));
        assertThat(lease.content().idempotencyKey()).startsWith("schedule/sch_a/" + at + "/");
      }
      assertThat(places).hasSize(3);
      waves.add(places);
      w.clock.advance(Duration.ofMinutes(-30));
    }
    assertThat(waves.getFirst()).isEqualTo(waves.getLast());
  }
}
