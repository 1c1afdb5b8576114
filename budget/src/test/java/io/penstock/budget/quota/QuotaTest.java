package io.penstock.budget.quota;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.AdaptiveSettings;
import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.budget.WaitReason;
import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuotaTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final TestClock clock = new TestClock(Instant.parse("2026-03-10T12:00:00Z"));
  private BudgetSettings settings =
      new BudgetSettings(1_000, 1_000, 1_000, Duration.ofSeconds(15))
          .with(AdaptiveSettings.OFF)
          .with(new QuotaSettings(QuotaSettings.Per.DAY, BERLIN, 100, 0.2));
  private BudgetState state = BudgetState.initial(settings, 1, clock.instant());

  private Decision ask() {
    Budget.Asked asked = Budget.ask(state, settings, clock.instant());
    state = asked.state();
    return asked.decision();
  }

  private void take(int count) {
    state = Budget.debit(state, settings, new Budget.Debit(count, 0, 0, false), clock.instant());
  }

  @ParameterizedTest
  @CsvSource({
    "DAY, 2026-03-10T12:00:00Z, 2026-03-09T23:00:00Z, 24",
    "DAY, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 23",
    "DAY, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z, 25",
    "MONTH, 2026-03-10T12:00:00Z, 2026-02-28T23:00:00Z, 743",
  })
  void aWindowFollowsTheProvidersZone(
      QuotaSettings.Per per, Instant at, Instant start, long hours) {
    QuotaSettings.Window window = new QuotaSettings(per, BERLIN, 1, 0).windowAt(at);
    assertThat(window.start()).isEqualTo(start);
    assertThat(Duration.between(window.start(), window.end())).isEqualTo(Duration.ofHours(hours));
  }

  @Test
  void batchStopsBeforeTheReserveAndInteractiveAtTheLimit() {
    clock.advance(Duration.ofSeconds(1));
    take(70);
    assertThat(ask()).extracting("most", "mostBatch").containsExactly(30, 10);
    take(10);
    assertThat(ask()).extracting("most", "mostBatch").containsExactly(20, 0);
    assertThat(Budget.batchWait(state, settings, clock.instant())).isNotNull();
    take(20);
    assertThat(ask())
        .isInstanceOfSatisfying(
            Decision.Wait.class,
            wait -> {
              assertThat(wait.until()).isBetween("2026-03-10T23:00:00Z", "2026-03-10T23:01:00Z");
              assertThat(wait.reason())
                  .isEqualTo(new WaitReason.Quota(100, 100, Duration.ofHours(24)));
            });
  }

  @Test
  void theReserveIsReleasedInTheLastTenthOfTheWindow() {
    take(80);
    Decision.Wait batch = requireNonNull(Budget.batchWait(state, settings, clock.instant()));
    assertThat(batch.until()).isBetween("2026-03-10T20:36:00Z", "2026-03-10T20:50:00Z");
    clock.set(batch.until());
    assertThat(ask()).extracting("mostBatch").isEqualTo(1);
    clock.set(Instant.parse("2026-03-10T21:48:00Z"));
    assertThat(ask()).extracting("mostBatch").isEqualTo(10);
  }

  @Test
  void anExhaustedQuotaReopensAfterItsJitterWithAnEmptyBucket() {
    take(100);
    Decision.Wait wait = (Decision.Wait) ask();
    clock.set(Instant.parse("2026-03-10T23:00:00.001Z"));
    assertThat(ask()).isInstanceOf(Decision.Wait.class);
    clock.set(wait.until());
    assertThat(ask()).isInstanceOf(Decision.Wait.class);
    clock.advance(Duration.ofMillis(10));
    assertThat(ask()).extracting("most").isEqualTo(10);
  }

  @Test
  void whatWasNotSentIsGivenBackToItsOwnWindowOnly() {
    take(100);
    Stamp stamp = new Stamp(state.generation(), false, false, false);
    state = Budget.feed(state, settings, new Feedback.HandedBack(stamp), clock.instant());
    clock.advance(Duration.ofSeconds(1));
    assertThat(ask()).extracting("most").isEqualTo(1);
    clock.advance(Duration.ofDays(1));
    ask();
    take(1);
    state = Budget.feed(state, settings, new Feedback.HandedBack(stamp), clock.instant());
    assertThat(state.quota()).extracting(QuotaUse::used).isEqualTo(1L);
  }

  @Test
  void theAnswerToAProbeCountsThoughANewDayBeganMeanwhile() {
    settings = settings.with(AdaptiveSettings.DEFAULT);
    clock.set(Instant.parse("2026-03-10T22:59:00Z"));
    take(1);
    Stamp stamp = new Stamp(state.generation(), false, false, false);
    Outcome late = new Outcome.Throttled(429, "throttled", new Hint(Duration.ofSeconds(31)));
    state =
        Budget.feed(
            state,
            settings,
            new Feedback.Ended(stamp, late, Duration.ofMillis(9)),
            clock.instant());
    clock.set(Instant.parse("2026-03-10T22:59:59Z"));
    Decision.Admit probe = (Decision.Admit) ask();
    assertThat(probe.probe()).isTrue();
    state = Budget.debit(state, settings, new Budget.Debit(1, 0, 0, true), clock.instant());
    clock.set(Instant.parse("2026-03-10T23:00:01Z"));
    ask();
    Stamp probes = new Stamp(probe.generation(), true, false, false);
    Outcome ok = new Outcome.Delivered(200, "ok", Hint.NONE);
    state =
        Budget.feed(
            state, settings, new Feedback.Ended(probes, ok, Duration.ofMillis(9)), clock.instant());
    assertThat(state.parked()).isFalse();
  }

  @Test
  void aClockThatStepsBackOverMidnightRefillsNothing() {
    clock.set(Instant.parse("2026-03-10T23:00:00.200Z"));
    ask();
    take(100);
    clock.set(Instant.parse("2026-03-10T22:59:59.700Z"));
    assertThat(ask()).extracting("reason.code").isEqualTo("quota");
    clock.set(Instant.parse("2026-03-10T23:00:01Z"));
    assertThat(ask()).extracting("reason.code").isEqualTo("quota");
    clock.set(Instant.parse("2026-03-08T12:00:00Z"));
    ask();
    clock.advance(Duration.ofMinutes(2));
    assertThat(ask()).as("a clock that was days ahead").isInstanceOf(Decision.Admit.class);
  }

  @Test
  void aQuotaThatIsTakenAwayAndPutBackIsNotRefilled() {
    BudgetSettings with = settings;
    take(100);
    settings = new BudgetSettings(1_000, 1_000, 1_000, Duration.ofSeconds(15));
    clock.advance(Duration.ofSeconds(1));
    assertThat(ask()).isInstanceOf(Decision.Admit.class);
    settings = with;
    assertThat(ask()).extracting("reason.code").isEqualTo("quota");
  }

  @Test
  void anotherCalendarRefillsNothingAndTheUseSurvivesStorage() {
    take(90);
    settings = settings.with(new QuotaSettings(QuotaSettings.Per.MONTH, BERLIN, 100, 0));
    ask();
    state = BudgetState.decode(state.encode());
    assertThat(state.quota())
        .isNotNull()
        .extracting(QuotaUse::used, QuotaUse::per)
        .containsExactly(90L, QuotaSettings.Per.MONTH);
    clock.advance(Duration.ofSeconds(1));
    assertThat(ask()).extracting("most").isEqualTo(10);
  }
}
