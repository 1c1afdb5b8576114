package io.penstock.budget.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.work.Suggestion.Measured;
import io.penstock.budget.work.Suggestion.Proposed;
import io.penstock.budget.work.Suggestion.TooLittleKnown;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static Measured hourly(long jobs, double seconds) {
    return new Measured(
        24 * jobs,
        DAY,
        seconds,
        true,
        Optional.of(
            new Recurrence(Duration.ofHours(1), jobs, Instant.parse("2026-03-10T12:00:00Z"), 24)),
        jobs);
  }

  @ParameterizedTest(name = "{0} jobs of {1} s an hour: {2} workers, {3} s banked")
  @CsvSource({
    // 40 x 30 s an hour are a third of a worker; 1,200 s of work pass 378 s, but not three times
    "40, 30, 0.42, 378, metered",
    // 12 x 10 s: 120 s of work, 45 s would be banked
    "12, 10, 0.05, 120, 'passes whole'",
    "2, 2, 0.01, 9, 'passes whole'",
  })
  void anAllotmentCoversTheDemandAndACapacityTheSmallBatch(
      long jobs, double seconds, double allotment, long capacity, String why) {
    Proposed proposed = (Proposed) Suggestion.of(hourly(jobs, seconds));
    assertThat(proposed.allotment()).isEqualTo(allotment);
    assertThat(proposed.capacity()).isEqualTo(Duration.ofSeconds(capacity));
    assertThat(proposed.capacityReason()).contains(why).contains("every 60 min");
    assertThat(proposed.allotmentReason()).contains("arrived within 24.0 h");
  }

  @Test
  void aSuggestedAllotmentDrainsTheBatchBeforeTheNext() {
    for (long jobs = 2; jobs < 500; jobs += 7) {
      Proposed proposed = (Proposed) Suggestion.of(hourly(jobs, 30));
      WorkSettings work = WorkSettings.of(proposed.allotment()).withCapacity(proposed.capacity());
      assertThat(PoolForecast.drainsBatch(jobs * 30.0, work))
          .as(jobs + " jobs")
          .isLessThanOrEqualTo(Duration.ofHours(1));
    }
  }

  @Test
  void withoutARecurringBatchTheBusiestMinuteCounts() {
    Proposed proposed =
        (Proposed) Suggestion.of(new Measured(1_440, DAY, 10, true, Optional.empty(), 5));
    assertThat(proposed.allotment()).isEqualTo(0.21);
    assertThat(proposed.capacity()).isEqualTo(Duration.ofSeconds(189));
    assertThat(proposed.capacityReason()).contains("5 jobs arrived within a minute");
  }

  @Test
  void nothingIsProposedFromNothing() {
    assertThat(Suggestion.of(new Measured(0, DAY, 10, true, Optional.empty(), 0)))
        .isInstanceOf(TooLittleKnown.class);
    assertThat(Suggestion.of(new Measured(5, DAY, 10, false, Optional.empty(), 1)))
        .isInstanceOf(TooLittleKnown.class);
  }
}
