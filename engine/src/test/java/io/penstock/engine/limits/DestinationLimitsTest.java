package io.penstock.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DestinationLimitsTest {
  private static DestinationLimits withDeadline(Duration deadline) {
    return new DestinationLimits(
        new BudgetSettings(50, 200, 32, deadline), 8, Duration.ofDays(3), OnUnknown.RETRY);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1001",
    "500, 1500",
    "1000, 2000",
    "3000, 6000",
    "15000, 20000",
    "3600000, 3605000"
  })
  void case23ALeaseIsLongerThanTheDeadlineByConstruction(long deadlineMillis, long leaseMillis) {
    assertThat(withDeadline(Duration.ofMillis(deadlineMillis)).lease())
        .isEqualTo(Duration.ofMillis(leaseMillis));
  }

  @Test
  void theDefaultsAreThePublishedOnes() {
    assertThat(DestinationLimits.DEFAULT.maxAttempts()).isEqualTo(8);
    assertThat(DestinationLimits.DEFAULT.ageLimit()).isEqualTo(Duration.ofDays(3));
    assertThat(DestinationLimits.DEFAULT.budget().slots()).isEqualTo(32);
    assertThat(DestinationLimits.DEFAULT.budget().ratePerSecond()).isEqualTo(50);
    assertThat(DestinationLimits.DEFAULT.budget().burst()).isEqualTo(200);
  }

  @Test
  void aValueOutOfRangeIsRefusedWithItsRange() {
    assertThatThrownBy(() ->
            new DestinationLimits(BudgetSettings.DEFAULT, 0, Duration.ofDays(3), OnUnknown.RETRY))
        .hasMessage("max_attempts must be 1 to 100, got 0");
    assertThatThrownBy(
            () -> new DestinationLimits(BudgetSettings.DEFAULT, 8, Duration.ZERO, OnUnknown.RETRY))
        .hasMessage("age_limit must be 1 s to 30 d, got PT0S");
  }
}
