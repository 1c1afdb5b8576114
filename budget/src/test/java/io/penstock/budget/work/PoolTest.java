package io.penstock.budget.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PoolTest {
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

  @Test
  void theLongestWaitingMeteredTubeGoesFirstAndPriorityIsATieBreak() {
    Turn old = new Turn(true, NOW.minusSeconds(60), 0);
    Turn fresh = new Turn(true, NOW, 0);
    Turn preferred = new Turn(true, NOW, 5);
    Turn unmetered = new Turn(false, NOW.minusSeconds(3_600), 9);
    assertThat(Stream.of(unmetered, fresh, preferred, old).sorted())
        .containsExactly(old, preferred, fresh, unmetered);
  }

  @Test
  void slackIsWhatTheGreaterDemandLeaves() {
    assertThat(new PoolForecast(4, 2, 3).slackPercent()).isEqualTo(25);
    assertThat(new PoolForecast(4, 5, 0).slackPercent()).isEqualTo(-25);
    assertThat(new PoolForecast(0, 1, 0).slackPercent()).isNegative();
  }

  @Test
  void aBacklogDrainsAtItsAllotment() {
    assertThat(PoolForecast.drains(1_200, 0.35)).isEqualTo(Duration.ofMillis(3_428_572));
    assertThat(PoolForecast.drains(1e300, 0.1)).isEqualTo(Duration.ofDays(365));
  }

  @ParameterizedTest(name = "{0} workers, {1} allotted, {2} arriving: {3}")
  @CsvSource({
    "6, 4.5, 3,   Covered",
    "6, 6,   6,   Covered",
    "6, 7,   3,   Overallotted",
    "6, 4,   6.5, Overloaded",
    "6, 9,   7,   Overloaded",
    "0, 0.1, 0,   Unserved",
    "0, 0,   0.1, Unserved",
    "0, 0,   0,   Covered",
  })
  void aPoolSaysWhetherItCanKeepWhatWasPromised(
      int workers, double allotted, double arriving, String verdict) {
    Commitment commitment = new PoolForecast(workers, allotted, arriving).commitment();
    assertThat(commitment.getClass().getSimpleName()).isEqualTo(verdict);
    assertThat(commitment.isOver()).isEqualTo(!verdict.equals("Covered"));
    assertThat(commitment.sentence()).isNotBlank();
  }

  @Test
  void aBatchDrainsFirstWithWhatIsBankedThenAtItsAllotment() {
    WorkSettings work = WorkSettings.of(0.5, Duration.ofSeconds(30));
    assertThat(PoolForecast.drainsBatch(1_200, work))
        .as("750 s beyond the 450 s that are banked, at half a worker")
        .isEqualTo(Duration.ofMinutes(25));
    assertThat(PoolForecast.drainsBatch(400, work))
        .as("all of it is banked, and one runs at a time")
        .isEqualTo(Duration.ofSeconds(400));
  }
}
