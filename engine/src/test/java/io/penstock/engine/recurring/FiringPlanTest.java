package io.penstock.engine.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.recurring.CatchUp.Missed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FiringPlanTest {
  private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");
  private static final CatchUp EACH = new CatchUp(Duration.ofHours(1), Missed.EACH);

  private long ids;

  private UUID next() {
    return new UUID(0x7000, ids++);
  }

  private static Schedule minutely(String id, int bytes, List<String> items) {
    return Schedule.made(
        id,
        "acme",
        new Recurrence.Every(Duration.ofMinutes(1), START),
        EACH,
        new Template(
            "a.b",
            "text/plain",
            List.of(),
            new byte[bytes],
            Urgency.BATCH,
            List.of(),
            items,
            items.isEmpty() ? null : Duration.ofSeconds(30)),
        "key:a",
        "",
        START.minusSeconds(1));
  }

  private static List<Acceptance> stored(FiringPlan plan) {
    List<Acceptance> answers = new ArrayList<>();
    plan.events().forEach(event -> answers.add(new Acceptance.Stored(event.eventId(), List.of())));
    return answers;
  }

  @Test
  void an_instant_sends_one_event_about_each_item() {
    Schedule schedule = minutely("sch_a", 1, List.of("x", "y"));
    FiringPlan plan = FiringPlan.of(List.of(schedule), START, this::next);
    assertThat(plan.events()).extracting(NewEvent::item).containsExactly("x", "y");
    assertThat(plan.events())
        .extracting(NewEvent::idempotencyKey)
        .containsExactly("schedule/sch_a/" + START + "/0", "schedule/sch_a/" + START + "/1");
    assertThat(plan.events()).allMatch(event -> Duration.ofSeconds(30).equals(event.over()));
    FiringPlan.Done done = plan.after(stored(plan)).getFirst();
    assertThat(done.answers()).hasSize(2);
    assertThat(done.firings())
        .containsExactly(new Firing("sch_a", START, START, plan.events().getFirst().eventId(), ""));
    assertThat(done.schedule().counts()).isEqualTo(new Schedule.Counts(1, 0, 0, 0));
  }

  @Test
  void an_instant_of_which_some_events_were_refused_says_how_many() {
    FiringPlan plan =
        FiringPlan.of(List.of(minutely("sch_a", 1, List.of("x", "y", "z"))), START, this::next);
    List<Acceptance> answers = stored(plan);
    answers.set(0, new Acceptance.UnknownDestination("dst"));
    Firing firing = plan.after(answers).getFirst().firings().getFirst();
    assertThat(firing.eventId()).isEqualTo(plan.events().get(1).eventId());
    assertThat(firing.problem())
        .isEqualTo("1 of 3 events were refused: there is no destination dst");
    assertThat(plan.after(answers).getFirst().schedule().counts())
        .isEqualTo(new Schedule.Counts(0, 1, 0, 0));
  }

  @Test
  void a_step_has_room_for_so_many_events_and_the_rest_waits() {
    List<Schedule> due = new ArrayList<>();
    List<String> items = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      items.add("item-" + i);
    }
    for (int i = 0; i < 5; i++) {
      due.add(minutely("sch_" + i, 1, items));
    }
    FiringPlan plan = FiringPlan.of(due, START, this::next);
    assertThat(plan.events()).hasSize(400);
    assertThat(plan.after(stored(plan))).hasSize(2);
  }

  @Test
  void a_single_one_always_has_room_for_one_instant() {
    List<String> items = new ArrayList<>();
    for (int i = 0; i < Template.MOST_ITEMS; i++) {
      items.add("item-" + i);
    }
    Schedule large = minutely("sch_a", 64 << 10, items);
    FiringPlan plan = FiringPlan.of(List.of(large), START.plusSeconds(600), this::next);
    assertThat(plan.events()).hasSize(Template.MOST_ITEMS);
    assertThat(plan.after(stored(plan)).getFirst().schedule().nextAt())
        .isEqualTo(START.plusSeconds(60));
  }

  @Test
  void payloads_of_one_step_are_bounded_in_bytes() {
    List<Schedule> due = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      due.add(minutely("sch_" + i, 1 << 20, List.of()));
    }
    assertThat(FiringPlan.of(due, START, this::next).events()).hasSize(8);
  }
}
