package io.penstock.engine.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.recurring.CatchUp.Missed;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DueTest {
  private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");
  private static final Recurrence MINUTELY = new Recurrence.Every(Duration.ofMinutes(1), START);
  private static final CatchUp ONCE = new CatchUp(Duration.ofMinutes(10), Missed.ONCE);
  private static final CatchUp EACH = new CatchUp(Duration.ofMinutes(10), Missed.EACH);

  private static Instant minute(int minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }

  private static Due due(CatchUp catchUp, Instant now) {
    return Due.of(MINUTELY, catchUp, START, now, 1_000, 500);
  }

  @Test
  void nothing_is_due_before_its_instant() {
    Due due = due(ONCE, START.minusMillis(1));
    assertThat(due.firing()).isEmpty();
    assertThat(due.next()).isEqualTo(START);
  }

  @Test
  void one_that_is_due_comes_and_the_next_is_known() {
    Due due = due(ONCE, START.plusMillis(5));
    assertThat(due.firing()).containsExactly(START);
    assertThat(due.next()).isEqualTo(minute(1));
    assertThat(due.merged() + due.tooOld()).isZero();
  }

  @Test
  void after_an_outage_the_newest_stands_for_those_within_the_window() {
    Due due = due(ONCE, minute(30));
    assertThat(due.firing()).containsExactly(minute(30));
    assertThat(due.tooOld()).isEqualTo(20);
    assertThat(due.merged()).isEqualTo(10);
    assertThat(due.next()).isEqualTo(minute(31));
  }

  @Test
  void or_each_of_them_is_made_up_oldest_first() {
    Due due = due(EACH, minute(30));
    assertThat(due.firing()).hasSize(11).startsWith(minute(20)).endsWith(minute(30));
    assertThat(due.tooOld()).isEqualTo(20);
    assertThat(due.merged()).isZero();
  }

  @Test
  void what_one_step_does_not_reach_the_next_one_goes_on_with() {
    Due first = Due.of(MINUTELY, ONCE, START, minute(30), 25, 1);
    assertThat(first.firing()).isEmpty();
    assertThat(first.tooOld()).isEqualTo(20);
    assertThat(first.merged()).isEqualTo(5);
    assertThat(first.next()).isEqualTo(minute(25));
    Due second = Due.of(MINUTELY, ONCE, minute(25), minute(30), 25, 1);
    assertThat(second.firing()).containsExactly(minute(30));
    assertThat(second.merged()).isEqualTo(5);

    Due each = Due.of(MINUTELY, EACH, minute(20), minute(30), 25, 3);
    assertThat(each.firing()).containsExactly(minute(20), minute(21), minute(22));
    assertThat(each.next()).isEqualTo(minute(23));
  }

  @Test
  void every_instant_is_counted_once_however_the_steps_fall() {
    for (int looked = 1; looked < 40; looked++) {
      for (CatchUp catchUp : new CatchUp[] {ONCE, EACH}) {
        long sum = 0;
        Instant from = START;
        int steps = 0;
        while (from != null && !from.isAfter(minute(37))) {
          Due due = Due.of(MINUTELY, catchUp, from, minute(37), looked, 2);
          sum += due.firing().size() + due.merged() + due.tooOld();
          from = due.next();
          assertThat(steps++).isLessThan(100);
        }
        assertThat(sum).isEqualTo(38);
      }
    }
  }
}
