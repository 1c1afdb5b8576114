package io.penstock.engine.tube;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.TubeLimits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  private static final TubeLimits LIMITS =
      new TubeLimits(
          1.0,
          null,
          Duration.ofSeconds(60),
          0,
          false,
          5,
          Duration.ofHours(6),
          Duration.ofHours(24));

  private static boolean isSilent(
      long emptyRuns, @Nullable Duration sinceYield, Duration sinceActive) {
    Instant yielded = sinceYield == null ? null : NOW.minus(sinceYield);
    return Silence.of(
            LIMITS, new Silence.Facts(emptyRuns, yielded, NOW, NOW.minus(sinceActive)), NOW)
        .isPresent();
  }

  @Test
  void runsWithoutYieldAreASignOnlyWhereThereUsedToBeSome() {
    assertThat(isSilent(4, Duration.ofMinutes(5), Duration.ZERO)).isFalse();
    assertThat(isSilent(5, Duration.ofMinutes(5), Duration.ZERO)).isTrue();
    assertThat(isSilent(500, null, Duration.ZERO)).isFalse();
  }

  @Test
  void soIsATimeWithoutYieldWhenItCompletes() {
    assertThat(isSilent(1, Duration.ofHours(5), Duration.ZERO)).isFalse();
    assertThat(isSilent(1, Duration.ofHours(6), Duration.ZERO)).isTrue();
    assertThat(isSilent(0, Duration.ofHours(60), Duration.ZERO)).isFalse();
  }

  @Test
  void soIsATimeWithNothingNew() {
    assertThat(isSilent(0, null, Duration.ofHours(23))).isFalse();
    assertThat(isSilent(0, null, Duration.ofHours(24))).isTrue();
  }

  @Test
  void withoutLimitsNothingIsSilent() {
    Silence.Facts facts = new Silence.Facts(1_000, NOW.minusSeconds(9), NOW, Instant.EPOCH);
    assertThat(Silence.of(TubeLimits.DEFAULT, facts, NOW)).isEmpty();
  }
}
