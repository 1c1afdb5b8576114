package io.penstock.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private static final Instant START = Instant.parse("2026-03-10T12:03:00Z");
  private static final BudgetSettings SETTINGS = BudgetSettings.DEFAULT;

  private final Recorder recorder = new Recorder();
  private Instant now = START;
  private BudgetState state = BudgetState.initial(SETTINGS, 7, START);

  private Sighting answer(Outcome outcome) {
    now = now.plusMillis(500);
    Decision decision = Budget.ask(state, SETTINGS, now).decision();
    boolean probe = decision instanceof Decision.Admit admit && admit.probe();
    state = Budget.debit(state, SETTINGS, new Budget.Debit(1, 0, 0, probe), now);
    var feedback =
        new Feedback.Ended(
            new Stamp(state.generation(), probe, false, false), outcome, Duration.ofMillis(20));
    BudgetState before = state;
    state = Budget.feed(state, SETTINGS, feedback, now);
    return Sighting.of("dst_a", before, state, SETTINGS, feedback, now);
  }

  @Test
  void a_wall_is_told_as_cuts_then_a_park_then_its_end() {
    List<Sighting> seen = new ArrayList<>();
    while (!state.parked()) {
      seen.add(answer(new Outcome.Throttled(429, "status", Hint.NONE)));
    }
    assertThat(seen.getFirst().marks())
        .singleElement()
        .returns(Mark.Kind.CUT, Mark::kind)
        .returns("429", Mark::cause)
        .returns(50.0, Mark::before)
        .satisfies(cut -> assertThat(cut.after()).isBetween(20.0, 25.0));
    assertThat(seen.getLast().marks())
        .anySatisfy(mark ->
            assertThat(mark).returns(Mark.Kind.PARKED, Mark::kind).returns(20, Mark::count));

    now = now.plusSeconds(7);
    assertThat(answer(new Outcome.Transient(503, "status", Hint.NONE)).marks())
        .singleElement()
        .returns(Mark.Kind.PROBE_FAILED, Mark::kind)
        .returns("503", Mark::cause)
        .returns(21, Mark::count);
    now = now.plusSeconds(60);
    assertThat(answer(new Outcome.Delivered(200, "status", Hint.NONE)).marks())
        .singleElement()
        .returns(Mark.Kind.UNPARKED, Mark::kind)
        .returns(21, Mark::count);
  }

  @Test
  void a_budget_that_closes_itself_says_why() {
    assertThat(answer(new Outcome.Gone(410, "status")).marks())
        .containsExactly(new Mark(Mark.Kind.CLOSED, "gone", 50, 50, 0));
  }

  @Test
  void a_second_has_one_point_of_each_kind_and_a_rate_that_stands_has_none() {
    for (int i = 0; i < 100; i++) {
      recorder.seen(
          List.of(new Sighting("dst_a", START.plusMillis(i), 50, 50, null, 0, List.of())));
    }
    assertThat(recorder.take()).hasSize(1);
    recorder.seen(List.of(new Sighting("dst_a", START.plusSeconds(9), 50, 50, null, 0, List.of())));
    assertThat(recorder.take()).isEmpty();

    Mark first = new Mark(Mark.Kind.CUT, "429", 50, 25, 0);
    Mark second = new Mark(Mark.Kind.CUT, "503", 25, 12.5, 0);
    recorder.seen(
        List.of(new Sighting("dst_a", START.plusSeconds(9), 25, 50, 44.0, 3, List.of(first))));
    recorder.seen(
        List.of(
            new Sighting("dst_a", START.plusMillis(9_900), 12.5, 50, 44.0, 1, List.of(second))));
    assertThat(recorder.take())
        .containsExactlyInAnyOrder(
            new HistoryPoint(
                "dst_a",
                START.plusSeconds(9),
                12.5,
                50,
                44.0,
                0,
                new Mark(Mark.Kind.CUT, "503", 50, 12.5, 0),
                2),
            new HistoryPoint("dst_a", START.plusSeconds(9), 12.5, 50, 44.0, 4, null, 2));
  }

  @Test
  void a_change_of_the_limits_shows_although_the_rate_stands() {
    recorder.seen(List.of(new Sighting("dst_a", START, 20, 50, null, 0, List.of())));
    recorder.seen(List.of(new Sighting("dst_a", START.plusSeconds(5), 20, 25, null, 0, List.of())));
    assertThat(recorder.take()).extracting(HistoryPoint::ceiling).containsExactly(50.0, 25.0);
  }

  @Test
  void memory_is_bounded_and_what_found_no_room_is_told() {
    List<Sighting> many =
        IntStream.range(0, Recorder.MOST_POINTS + 5)
            .mapToObj(i -> new Sighting("dst_" + i, START, 50, 50, null, 0, List.of()))
            .toList();
    recorder.seen(many);
    List<HistoryPoint> taken = recorder.take();
    assertThat(taken).hasSize(Recorder.MOST_POINTS);
    assertThat(recorder.lost()).isEqualTo(5);
    recorder.giveBack(taken.subList(0, 3));
    assertThat(recorder.take()).hasSize(3);
  }
}
