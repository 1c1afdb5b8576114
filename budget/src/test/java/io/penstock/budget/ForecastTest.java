package io.penstock.budget;

import static io.penstock.budget.DrivenBudget.failed;
import static io.penstock.budget.DrivenBudget.ok;
import static io.penstock.budget.DrivenBudget.throttled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.budget.Forecast.Expected;
import io.penstock.budget.Forecast.Expected.Goes;
import io.penstock.budget.Forecast.Stretch;
import io.penstock.budget.Forecast.Turn;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.testing.Seeds;
import io.penstock.budget.testing.TestClock;
import io.penstock.budget.work.WorkSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** When what waits would go, by the rules run forward. */
final class ForecastTest {
  private final TestClock clock = new TestClock();
  private final BudgetSettings plain = new BudgetSettings(10, 10, 50, Duration.ofSeconds(15));

  private Stretch firsts(int count) {
    return new Stretch(count, clock.instant(), Turn.FIRST, false);
  }

  private Expected one(DrivenBudget driven, Stretch stretch) {
    return all(driven, stretch).getFirst();
  }

  private List<Expected> all(DrivenBudget driven, Stretch... line) {
    return Forecast.of(driven.state, driven.settings, List.of(line), clock.instant());
  }

  private double seconds(Expected expected) {
    assertThat(expected).isInstanceOf(Goes.class);
    return Duration.between(clock.instant(), ((Goes) expected).at()).toMillis() / 1e3;
  }

  private static WaitReason reason(Expected expected) {
    return Objects.requireNonNull(((Goes) expected).reason());
  }

  @Test
  void whatMayGoNowGoesNowAndWaitsForNothing() {
    DrivenBudget driven = new DrivenBudget(plain, clock);
    assertThat(one(driven, firsts(1))).isEqualTo(new Goes(clock.instant(), null, false));
  }

  @Test
  void aLineGoesAtTheRateInForce() {
    DrivenBudget driven = new DrivenBudget(plain, clock);
    Expected last = one(driven, firsts(101)); // one token is there at the start
    assertThat(seconds(last)).isCloseTo(10.0, within(0.1));
    assertThat(reason(last)).isInstanceOf(WaitReason.Tokens.class);
    assertThat(((Goes) last).ifWell()).as("time alone decides").isFalse();
  }

  @Test
  void anEarlierStretchGoesBeforeALaterOneOnceItIsDue() {
    DrivenBudget driven = new DrivenBudget(plain, clock);
    Stretch scheduled =
        new Stretch(10, clock.instant().plusSeconds(5), Turn.FIRST, false); // 5.0 to 5.9
    List<Expected> both =
        all(driven, scheduled, new Stretch(60, clock.instant(), Turn.REDRIVE, false));
    assertThat(seconds(both.get(0))).isCloseTo(5.95, within(0.15));
    assertThat(seconds(both.get(1))).isCloseTo(6.9, within(0.2));
  }

  @Test
  void aSpentQuotaWaitsForItsBoundaryAndItsJitter() {
    QuotaSettings quota = new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, 20, 0);
    DrivenBudget driven = new DrivenBudget(plain.with(quota), clock);
    List<Expected> both = all(driven, firsts(20), firsts(1));
    assertThat(seconds(both.get(0))).isLessThan(3);
    Instant midnight = clock.instant().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
    assertThat(((Goes) both.get(1)).at())
        .isBetween(midnight, midnight.plus(Duration.ofSeconds(61)));
    assertThat(((Goes) both.get(1)).ifWell()).isFalse();
  }

  @Test
  void theReserveOfAQuotaKeepsBatchWorkWaitingAlone() {
    QuotaSettings quota = new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, 20, 0.5);
    DrivenBudget driven = new DrivenBudget(plain.with(quota), clock);
    List<Expected> both =
        all(
            driven,
            new Stretch(15, clock.instant(), Turn.FIRST, true),
            new Stretch(1, clock.instant(), Turn.RETRY, false));
    assertThat(seconds(both.get(1))).isLessThan(3);
    assertThat(seconds(both.get(0))).isGreaterThan(3_600);
    assertThat(reason(both.get(0))).isInstanceOf(WaitReason.Quota.class);
  }

  @Test
  void slotsAreFreedByAnswersAfterTheMeanRoundTrip() {
    DrivenBudget driven = new DrivenBudget(plain.withRate(1_000, 1_000).withSlots(2), clock);
    clock.advance(Duration.ofSeconds(2));
    driven.take(2);
    Expected last = one(driven, firsts(20));
    assertThat(seconds(last)).isCloseTo(1.0, within(0.2)); // a round trip is taken for 100 ms
    assertThat(reason(last)).isInstanceOf(WaitReason.Slots.class);
    assertThat(((Goes) last).ifWell()).isTrue();
  }

  @Test
  void aParkedBudgetIsExpectedToComeBackWithItsNextProbe() {
    DrivenBudget driven = new DrivenBudget(plain, clock);
    for (int i = 0; i < 40 && !driven.state.parked(); i++) {
      driven.feed(failed());
      clock.advance(Duration.ofMillis(500));
    }
    assertThat(driven.state.parked()).isTrue();
    Instant probe = driven.waitsUntil();
    List<Expected> both = all(driven, firsts(1), firsts(10));
    assertThat(((Goes) both.get(0)).at()).isEqualTo(probe);
    assertThat(reason(both.get(0))).isInstanceOf(WaitReason.Parked.class);
    assertThat(((Goes) both.get(0)).ifWell()).isTrue();
    assertThat(((Goes) both.get(1)).at()).isAfter(probe);
  }

  @Test
  void aShrunkenRateIsExpectedToWalkBack() {
    DrivenBudget driven = new DrivenBudget(plain.withRate(100, 100), clock);
    driven.run(Duration.ofSeconds(10), ok());
    driven.feed(throttled());
    double shrunken = driven.rate();
    assertThat(shrunken).isLessThan(60);
    double seconds = seconds(one(driven, firsts(1_000)));
    assertThat(seconds).isBetween(10.0, 1_000 / shrunken);
  }

  @Test
  void retriesWaitForTheirAllowance() {
    AdaptiveSettings patient = AdaptiveSettings.DEFAULT;
    DrivenBudget driven = new DrivenBudget(plain.with(patient), clock);
    for (int i = 0; i < 18; i++) {
      driven.take(1);
      driven.feed(failed());
      clock.advance(Duration.ofMillis(150));
    }
    assertThat(driven.state.parked()).isFalse();
    assertThat(driven.state.retries.binds()).isTrue();
    driven.take(10, 10);
    clock.advance(Duration.ofSeconds(2));
    List<Expected> both =
        all(driven, firsts(1), new Stretch(30, clock.instant(), Turn.RETRY, false));
    assertThat(seconds(both.get(0))).isLessThan(1);
    assertThat(seconds(both.get(1))).isGreaterThan(5);
  }

  @Test
  void whatIsRefusedStaysUntilSomebodyActs() {
    DrivenBudget closed = new DrivenBudget(plain.withRate(0, 1), clock);
    assertThat(all(closed, firsts(1), firsts(1)))
        .containsOnly(new Expected.Refused(RefuseReason.RATE_ZERO));
  }

  @Test
  void aLineTooLongToLookAtGoesLaterThanWasLooked() {
    DrivenBudget driven = new DrivenBudget(plain, clock);
    Expected last = one(driven, firsts(Integer.MAX_VALUE));
    assertThat(last).isInstanceOf(Expected.Later.class);
    assertThat(((Expected.Later) last).than())
        .isAfter(clock.instant().plus(Duration.ofMinutes(10)));
  }

  @Test
  void jobsOfAMeteredTubeWaitForTheirWorkerSeconds() {
    BudgetSettings tube =
        plain.with(new WorkSettings(0.5, Duration.ofSeconds(60), Duration.ofSeconds(10), 1));
    DrivenBudget driven = new DrivenBudget(tube, clock);
    Expected last = one(driven, firsts(12));
    // Twelve jobs of 10 s at half a worker, less the minute that may be banked.
    assertThat(seconds(last)).isBetween(100.0, 300.0);
  }

  @Test
  void aForecastIsWhatTheRulesThenDecide() {
    List<Double> errors = new ArrayList<>();
    Seeds.forEach(
        200,
        random -> {
          TestClock time = new TestClock();
          BudgetSettings settings =
              new BudgetSettings(
                  1 + random.nextInt(200), 1 + random.nextInt(200), 64, Duration.ofSeconds(15));
          DrivenBudget driven = new DrivenBudget(settings, time);
          driven.run(Duration.ofMillis(random.nextInt(3_000)), ok());
          if (random.nextBoolean()) {
            driven.feed(throttled());
          }
          int count = 1 + random.nextInt(500);
          Goes expected =
              (Goes)
                  Forecast.of(
                          driven.state,
                          settings,
                          List.of(new Stretch(count, time.instant(), Turn.FIRST, false)),
                          time.instant())
                      .getFirst();
          Instant began = time.instant();
          for (int gone = 0; gone < count; gone += driven.run(Duration.ofMillis(10), ok())) {
            assertThat(time.instant()).isBefore(began.plus(Duration.ofHours(1)));
          }
          double wanted = Duration.between(began, expected.at()).toMillis();
          double got = Duration.between(began, time.instant()).toMillis();
          // The test sends in steps of 10 ms, which short waits cannot resolve.
          errors.add(Math.max(0, Math.abs(wanted - got) - 20) / got);
        });
    errors.sort(null);
    assertThat(errors.get(errors.size() / 2)).as("median error").isLessThan(0.02);
    assertThat(errors.get(errors.size() * 95 / 100)).as("p95 error").isLessThan(0.1);
  }
}
