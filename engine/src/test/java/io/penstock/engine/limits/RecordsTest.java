package io.penstock.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.work.WorkSettings;
import io.penstock.budget.work.WorkTimes;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.limits.OutcomeOverrides.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The records of the limits document: what they are without a file, and what they refuse. */
class RecordsTest {
  @Test
  void withoutAFileNothingIsBoundedAndNothingIsOverridden() {
    DestinationLimits limits = LimitsDocument.DEFAULT.of("any");
    assertThat(limits.retry().afterTransient()).isEqualTo(Backoff.DEFAULT);
    assertThat(limits.retry().afterUnknown()).isEqualTo(Backoff.DEFAULT);
    assertThat(limits.retry().refusedAgain()).isEqualTo(Duration.ofSeconds(30));
    assertThat(limits.retry().lastRefusal()).isEqualTo(3);
    assertThat(limits.attemptsWhenTransient()).isEqualTo(8);
    assertThat(limits.attemptsWhenUnknown()).isEqualTo(8);
    assertThat(limits.outcomes()).isEqualTo(OutcomeOverrides.NONE);
    assertThat(limits.tube().work()).isNull();
    assertThat(limits.tubeBudget()).isEqualTo(limits.budget());
    assertThat(limits.budget().autoDisable()).isNull();
    assertThat(limits.budget().quota()).isNull();
    assertThat(limits.backlog().deliveries()).isNull();
    assertThat(limits.redrive()).isEqualTo(new RedriveLimits(null, null, null, 0.9, null));
    assertThat(LimitsDocument.DEFAULT.ofTenant("any"))
        .isEqualTo(new TenantLimits(BacklogBound.NONE, null, Map.of()));
    assertThat(LimitsDocument.DEFAULT.pools()).isEmpty();
    assertThat(LimitsDocument.DEFAULT.retention().audit()).isEqualTo(Duration.ofDays(365));
    assertThat(LimitsDocument.DEFAULT.alerts().oldestReady()).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void anOutcomeFollowsTheCommonBackoffWhereItSaysNothing() {
    RetryPolicy policy =
        new RetryPolicy(
            Backoff.DEFAULT,
            new RetryPolicy.Own(Duration.ofSeconds(1), null, null, null),
            RetryPolicy.Own.NONE,
            Duration.ofSeconds(30),
            3);
    assertThat(policy.afterTransient())
        .isEqualTo(new Backoff(Duration.ofSeconds(1), 5, Duration.ofHours(6)));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aStatusMeansWhatItsDestinationSays(Kind kind) {
    var overrides = new OutcomeOverrides(Map.of(418, kind), Map.of());
    assertThat(overrides.outcome(418, Hint.NONE))
        .hasValueSatisfying(outcome -> {
          assertThat(outcome.getClass().getSimpleName()).isEqualToIgnoringCase(kind.word());
          assertThat(outcome.status()).isEqualTo(418);
        });
    assertThat(overrides.outcome(419, Hint.NONE)).isEmpty();
  }

  @Test
  void aSingleStatusWinsOverItsHundred() {
    var overrides = new OutcomeOverrides(Map.of(404, Kind.GONE), Map.of(4, Kind.TRANSIENT));
    assertThat(overrides.outcome(404, Hint.NONE)).containsInstanceOf(Outcome.Gone.class);
    assertThat(overrides.outcome(422, Hint.NONE)).containsInstanceOf(Outcome.Transient.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutcomeOverrides(Map.of(99, Kind.GONE), Map.of()))
        .withMessageContaining("got 99, wanted a status of 200 to 599");
  }

  @Test
  void aTubeBanksFifteenMinutesOfItsAllotmentUnlessItSaysOtherwise() {
    var tube = new TubeLimits(0.5, null, Duration.ofSeconds(60), 0, false, null, null, null);
    assertThat(tube.work()).isEqualTo(WorkSettings.of(0.5));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new TubeLimits(0.0, null, Duration.ofSeconds(60), 0, false, null, null, null))
        .withMessageContaining("allotment is 0.0");
  }

  @Test
  void everyTimeOfATubeIsDividedWhenItsStoryIsPlayedFaster() {
    Duration minute = Duration.ofMinutes(1);
    var tube = new TubeLimits(0.5, null, minute, 2, true, 7, minute.multipliedBy(5), null);
    var faster = tube.faster(60);
    assertThat(faster)
        .isEqualTo(
            new TubeLimits(
                0.5,
                null,
                Duration.ofSeconds(1),
                2,
                true,
                7,
                Duration.ofSeconds(5),
                null,
                TubeLimits.EmptyWhen.NO_YIELD,
                WorkTimes.DEFAULT.faster(60)));
    assertThat(Objects.requireNonNull(faster.work()).capacity())
        .isEqualTo(Duration.ofMillis(7_500));
  }

  @Test
  void theClosestWordOnADeadLettersTimeWins() {
    var retention =
        new RetentionLimits(
            Duration.ofDays(7),
            Duration.ofDays(7),
            Duration.ofDays(7),
            Duration.ofDays(30),
            Map.of(Reason.EXPIRED, Duration.ofDays(2), Reason.REJECTED, Duration.ofDays(3)),
            Duration.ofDays(30),
            Duration.ofDays(365));
    var tenant =
        new TenantLimits(
            BacklogBound.NONE, Duration.ofDays(60), Map.of(Reason.REJECTED, Duration.ofDays(90)));
    assertThat(retention.deadLetters(TenantLimits.DEFAULT, Reason.GONE))
        .isEqualTo(Duration.ofDays(30));
    assertThat(retention.deadLetters(TenantLimits.DEFAULT, Reason.EXPIRED))
        .isEqualTo(Duration.ofDays(2));
    assertThat(retention.deadLetters(tenant, Reason.EXPIRED)).isEqualTo(Duration.ofDays(60));
    assertThat(retention.deadLetters(tenant, Reason.REJECTED)).isEqualTo(Duration.ofDays(90));
  }

  @Test
  void whatIsOutOfRangeIsRefusedWithItsRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BacklogBound(0L))
        .withMessage("backlog.deliveries is 0, wanted 1 to 1000000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RedriveLimits(null, null, 0, 0.9, null))
        .withMessage("redrive.canary is 0, wanted 1 to 1,000,000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolLimits(3, List.of(), false))
        .withMessageContaining("wanted all, or 1 to 10000 ids, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AlertThresholds(Duration.ZERO, 1, 0.1, 1, 1, 2, Duration.ofHours(1)))
        .withMessageContaining("oldest_ready is PT0S, wanted 1 s to 30 d");
  }
}
