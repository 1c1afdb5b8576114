package io.penstock.budget.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.work.Recurrence.Arrived;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecurrenceTest {
  private static final Instant START = Instant.parse("2026-03-10T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  private final TreeMap<Integer, Long> minutes = new TreeMap<>();

  private RecurrenceTest burst(int minute, long jobs) {
    minutes.merge(minute, jobs, Long::sum);
    return this;
  }

  private Optional<Recurrence> found() {
    List<Arrived> arrived = new ArrayList<>();
    minutes.forEach(
        (minute, jobs) -> arrived.add(new Arrived(START.plus(Duration.ofMinutes(minute)), jobs)));
    return Recurrence.of(arrived, DAY);
  }

  @Test
  void anHourlyBatchIsFoundWithItsSizeAndItsNextTime() {
    for (int hour = 0; hour < 6; hour++) {
      burst(hour * 60 + 2, 30);
      burst(hour * 60 + 3, 10);
    }
    assertThat(found())
        .contains(
            new Recurrence(Duration.ofHours(1), 40, START.plus(Duration.ofMinutes(5 * 60 + 2)), 6));
    assertThat(found().orElseThrow().next()).isEqualTo(START.plus(Duration.ofMinutes(362)));
  }

  @Test
  void aTrickleBesidesDoesNotHideIt() {
    for (int minute = 0; minute < 24 * 60; minute++) {
      burst(minute, 2);
    }
    for (int hour = 0; hour < 24; hour += 6) {
      burst(hour * 60, 100);
    }
    Recurrence batch = found().orElseThrow();
    assertThat(batch.every()).isEqualTo(Duration.ofHours(6));
    assertThat(batch.jobs()).isEqualTo(100);
  }

  @Test
  void oneThatWasSkippedOrCameLateDoesNotEndTheHabit() {
    for (int hour : List.of(0, 1, 2, 3, 5, 6, 7, 8, 9)) {
      burst(hour * 60 + hour % 3, 20);
    }
    assertThat(found().orElseThrow().every())
        .isBetween(Duration.ofMinutes(58), Duration.ofMinutes(62));
  }

  @Test
  void whatComesAllTheTimeOrByChanceOrTwiceIsNone() {
    assertThat(found()).isEmpty();
    for (int minute = 0; minute < 24 * 60; minute += 1) {
      burst(minute, 3);
    }
    assertThat(found()).as("all the time").isEmpty();
    minutes.clear();
    burst(10, 40).burst(70, 40);
    assertThat(found()).as("twice").isEmpty();
    burst(75, 40).burst(300, 40).burst(310, 40).burst(900, 40);
    assertThat(found()).as("by chance").isEmpty();
    minutes.clear();
    for (int hour = 0; hour < 6; hour++) {
      burst(hour * 60, 1);
    }
    assertThat(found()).as("one job is no batch").isEmpty();
  }
}
