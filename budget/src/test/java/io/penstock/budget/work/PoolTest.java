package io.penstock.budget.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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
}
