package io.penstock.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.budget.quota.QuotaSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

final class ReplayTest {
  private static final Instant BEGIN = Instant.parse("2026-03-10T10:00:00Z");

  private static BudgetSettings limits(double rate, int burst) {
    return new BudgetSettings(rate, burst, 32, Duration.ofSeconds(15));
  }

  private static Instant minute(int n) {
    return BEGIN.plus(Duration.ofMinutes(n));
  }

  @Test
  void whatFitsIsNotHeldBack() {
    Replay replay = new Replay(limits(10, 100), BEGIN);
    for (int n = 0; n < 60; n++) {
      replay.minute(minute(n), 590);
    }
    assertThat(replay.end(minute(60))).isEqualTo(new Replay.Result(0, Duration.ZERO, 0, 0));
  }

  @Test
  void aMinuteOfTwiceTheRateTakesTwoMinutes() {
    Replay replay = new Replay(limits(10, 10), BEGIN);
    replay.minute(minute(0), 1_200);
    Replay.Result result = replay.end(minute(10));
    assertThat(result.left()).isZero();
    assertThat(result.heldBack()).isBetween(1_100L, 1_200L);
    assertThat(result.longestWait()).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(62));
  }

  @Test
  void closedMeansThatAllOfItStillWaits() {
    Replay replay = new Replay(limits(0, 10), BEGIN);
    replay.minute(minute(0), 500);
    Replay.Result result = replay.end(minute(60));
    assertThat(result.left()).isEqualTo(500);
    assertThat(result.heldBack()).isEqualTo(500);
    assertThat(result.longestWait()).isGreaterThan(Duration.ofMinutes(58));
  }

  @Test
  void aSpentQuotaIsAHitAndHoldsBackUntilItsBoundary() {
    QuotaSettings quota = new QuotaSettings(QuotaSettings.Per.DAY, ZoneId.of("UTC"), 1_000, 0);
    Replay replay = new Replay(limits(100, 100).with(quota), BEGIN);
    replay.minute(minute(0), 1_500);
    Replay.Result result = replay.end(BEGIN.plus(Duration.ofHours(15)));
    assertThat(result.quotaHits()).isEqualTo(1);
    assertThat(result.left()).isZero();
    assertThat((double) result.longestWait().toMinutes()).isCloseTo(14 * 60, within(2.0));
  }

  @Test
  void fractionsOfStepsDoNotEatTheQuota() {
    QuotaSettings quota = new QuotaSettings(QuotaSettings.Per.DAY, ZoneId.of("UTC"), 60_000, 0);
    Replay replay = new Replay(limits(7, 1).with(quota), BEGIN);
    for (int n = 0; n < 100; n++) {
      replay.minute(minute(n), 410);
    }
    assertThat(replay.end(minute(110)).quotaHits()).isZero();
  }
}
