package io.penstock.budget;

import static io.penstock.budget.DrivenBudget.ok;
import static io.penstock.budget.DrivenBudget.throttled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The plain token bucket, slots, pins and holds. */
final class BudgetTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final TestClock clock = new TestClock();

  private static BudgetSettings settings(double rate, int burst, int slots) {
    return new BudgetSettings(rate, burst, slots, TIMEOUT);
  }

  private DrivenBudget driven(BudgetSettings settings) {
    return new DrivenBudget(settings, clock);
  }

  @Test
  @DisplayName("case 1: a limit of 1 per 60 s lets one through at the start and one a minute")
  void case01_oneAMinuteIsOneAMinute() {
    DrivenBudget driven = driven(settings(1 / 60.0, 1, 32));
    int sent = 0;
    for (int second = 0; second < 600; second++) {
      sent += driven.takeAll();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(sent).isEqualTo(10);
  }

  @Test
  @DisplayName("case 8: fractions of tokens are kept: 3 per second asked 7 times a second gives 3")
  void case08_fractionsAreKept() {
    DrivenBudget driven = driven(settings(3, 2, 10_000));
    int sent = driven.takeAll();
    for (int i = 1; i <= 700; i++) {
      clock.set(TestClock.START.plusNanos(i * 1_000_000_000L / 7));
      sent += driven.takeAll();
    }
    assertThat(sent).isEqualTo(301);
  }

  @Test
  @DisplayName("case 9: a wait is rounded up, at least 1 ms, and at its end something goes")
  void case09_aWaitIsRoundedUp() {
    DrivenBudget driven = driven(settings(7.3, 1, 1_000));
    driven.takeAll();
    for (int i = 0; i < 200; i++) {
      Instant until = driven.waitsUntil();
      assertThat(until).isAfterOrEqualTo(clock.instant().plusMillis(1));
      assertThat(until).isEqualTo(until.truncatedTo(ChronoUnit.MILLIS));
      clock.set(until);
      assertThat(driven.takeAll()).isEqualTo(1);
      clock.advance(Duration.ofNanos(123_457L * i));
    }
  }

  @Test
  @DisplayName(
      "case 10: a lowered, raised, closed and reopened rate acts at once and mints nothing")
  void case10_aChangedLimitConvergesAndKeepsTheBalance() {
    DrivenBudget driven = driven(settings(100, 100, 10_000));
    clock.advance(Duration.ofSeconds(10));
    driven.settings = settings(1, 5, 10_000);
    assertThat(driven.takeAll()).isEqualTo(5);
    clock.advance(Duration.ofSeconds(2));
    assertThat(driven.takeAll()).isEqualTo(2);
    driven.settings = settings(0, 5, 10_000);
    assertThat(driven.ask()).isEqualTo(new Decision.Refuse(RefuseReason.RATE_ZERO));
    clock.advance(Duration.ofDays(1));
    assertThat(driven.ask()).isEqualTo(new Decision.Refuse(RefuseReason.RATE_ZERO));
    driven.settings = settings(100, 200, 10_000);
    assertThat(driven.takeAll()).as("a closed day mints nothing").isZero();
    clock.advance(Duration.ofMillis(100));
    assertThat(driven.takeAll()).isEqualTo(10);
    for (int reload = 0; reload < 50; reload++) {
      driven.settings = settings(100, 200 + reload % 2, 10_000);
      assertThat(driven.takeAll()).as("a reload refills nothing").isZero();
    }
  }

  @Test
  @DisplayName("case 11: a pin and a debt survive being written and read")
  void case11_aPinSurvivesStorage() {
    DrivenBudget driven = driven(settings(10, 10, 10));
    driven.takeAll();
    driven.take(3);
    driven.feed(throttled(Duration.ofSeconds(20)));
    Instant until = driven.waitsUntil();
    driven.state = BudgetState.decode(driven.state.encode());
    assertThat(driven.waitsUntil()).isEqualTo(until);
    clock.set(until);
    assertThat(driven.takeAll()).as("the debt was paid after the pin").isEqualTo(1);
  }

  @Test
  void aNewBudgetStartsWithAFewTokensAndNotWithAFullBucket() {
    assertThat(driven(settings(200, 2_000, 1_000)).takeAll()).isEqualTo(10);
    assertThat(driven(settings(1, 2_000, 1_000)).takeAll()).isEqualTo(1);
    assertThat(driven(settings(1_000_000, 5, 1_000)).takeAll()).isEqualTo(5);
  }

  @Test
  void aStepBackOfTheClockMintsNothingAndAnHourBackBlocksNobody() {
    DrivenBudget driven = driven(settings(10, 10, 1_000));
    driven.takeAll();
    clock.advance(Duration.ofMillis(-500));
    assertThat(driven.ask()).isInstanceOf(Decision.Wait.class);
    clock.advance(Duration.ofMillis(500));
    assertThat(driven.ask()).isInstanceOf(Decision.Wait.class);
    driven.feed(throttled(Duration.ofSeconds(30)));
    clock.advance(Duration.ofHours(-1));
    Duration left = Duration.between(clock.instant(), driven.waitsUntil());
    assertThat(left).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(34));
    clock.advance(left);
    clock.advance(Duration.ofMillis(100));
    assertThat(driven.takeAll()).isEqualTo(1);
  }

  @Test
  void tenDaysForwardFillTheBucketOnceAndDoNotOverflow() {
    DrivenBudget driven = driven(settings(1_000_000, 50, 1_000));
    driven.takeAll();
    clock.advance(Duration.ofDays(10));
    assertThat(driven.takeAll()).isEqualTo(50);
    clock.set(Instant.MAX);
    assertThat(driven.takeAll()).isEqualTo(50);
  }

  @Test
  void slotsBoundWhatIsInFlightAndAFeedbackFreesOne() {
    DrivenBudget driven = driven(settings(1_000, 100, 3));
    clock.advance(Duration.ofSeconds(1));
    assertThat(driven.takeAll()).isEqualTo(3);
    assertThat(driven.ask()).extracting("reason").isEqualTo(new WaitReason.Slots(3, 3));
    driven.feed(ok());
    assertThat(driven.takeAll()).isEqualTo(1);
    driven.settings = settings(1_000, 100, 2);
    driven.feed(ok());
    assertThat(driven.takeAll()).as("a lowered limit admits nothing until it fits").isZero();
    driven.feed(ok());
    assertThat(driven.takeAll()).isEqualTo(1);
    assertThat(driven.state.inFlight()).isEqualTo(2);
  }

  @Test
  void aThrottledAnswerEmptiesAndPinsAndNothingAccruesBeforeThePin() {
    DrivenBudget driven = driven(settings(1_000, 100, 1_000));
    clock.advance(Duration.ofSeconds(1));
    driven.take(1);
    driven.feed(throttled(Duration.ofSeconds(10)));
    Instant until = driven.waitsUntil();
    assertThat(Duration.between(clock.instant(), until))
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11).plusMillis(1));
    clock.set(until);
    assertThat(driven.takeAll()).as("no herd after the pin").isLessThanOrEqualTo(1);
  }

  @Test
  void aLaterAnswerMayExtendAPinAndNeverShortensIt() {
    DrivenBudget driven = driven(settings(10, 10, 100));
    driven.feed(throttled(Duration.ofSeconds(20)));
    Instant until = driven.waitsUntil();
    driven.feed(throttled(Duration.ofSeconds(1)));
    driven.feed(new Outcome.Throttled(429, "throttled", Hint.NONE));
    assertThat(driven.waitsUntil()).isEqualTo(until);
    driven.feed(throttled(Duration.ofSeconds(60)));
    assertThat(driven.waitsUntil()).isAfter(until);
  }

  @Test
  void refusalsWithoutAHintPinForDoublingTimesUpToASecond() {
    DrivenBudget driven = driven(settings(1_000, 100, 1_000));
    List<Integer> longestMillis = List.of(50, 100, 200, 400, 800, 1_000, 1_000);
    for (int millis : longestMillis) {
      driven.feed(new Outcome.Throttled(429, "throttled", Hint.NONE));
      Duration pin = Duration.between(clock.instant(), driven.waitsUntil());
      assertThat(pin)
          .isBetween(Duration.ofMillis(millis * 3 / 4), Duration.ofMillis(millis * 5 / 4 + 2));
      clock.advance(pin.plusMillis(2));
    }
    driven.feed(ok());
    driven.feed(new Outcome.Throttled(429, "throttled", Hint.NONE));
    assertThat(Duration.between(clock.instant(), driven.waitsUntil()))
        .isLessThan(Duration.ofMillis(70));
  }

  @Test
  void whatIsHandedBackReturnsItsTokenOnlyWithinTheSameGeneration() {
    DrivenBudget driven = driven(settings(1, 10, 10));
    driven.takeAll();
    Stamp stamp = new Stamp(driven.state.generation(), false, false, false);
    driven.state =
        Budget.feed(driven.state, driven.settings, new Feedback.HandedBack(stamp), clock.instant());
    assertThat(driven.takeAll()).isEqualTo(1);
    driven.state = Budget.reopen(driven.state, driven.settings, clock.instant());
    driven.state =
        Budget.feed(driven.state, driven.settings, new Feedback.HandedBack(stamp), clock.instant());
    assertThat(driven.takeAll()).isZero();
    assertThat(driven.state.inFlight()).isZero();
  }

  @Test
  void aRunOfRejectionsHoldsOnlyWhenItIsLongEnoughInNumberAndTime() {
    DrivenBudget driven = driven(settings(1_000, 100, 100));
    Outcome rejected = new Outcome.Rejected(404, "not_found");
    for (int i = 0; i < 30; i++) {
      driven.feed(rejected);
    }
    assertThat(driven.state.closed()).as("30 in an instant are a few bad events").isNull();
    clock.advance(Duration.ofSeconds(5));
    driven.feed(rejected);
    assertThat(driven.ask()).isEqualTo(new Decision.Refuse(RefuseReason.HELD_REJECTED));
    driven.state = Budget.reopen(driven.state, driven.settings, clock.instant());
    assertThat(driven.takeAll()).as("it reopens with an empty bucket").isZero();
    clock.advance(Duration.ofMillis(10));
    assertThat(driven.takeAll()).isEqualTo(10);
  }

  @Test
  void aDeliveredAnswerEndsARunAndOthersNeitherCountNorReset() {
    DrivenBudget driven = driven(settings(1_000, 100, 100));
    for (int i = 0; i < 4; i++) {
      driven.feed(new Outcome.Unauthorised(401, "denied"));
      driven.feed(new Outcome.Transient(500, "error", Hint.NONE));
    }
    driven.feed(ok());
    for (int i = 0; i < 4; i++) {
      driven.feed(new Outcome.Unauthorised(403, "denied"));
    }
    assertThat(driven.state.closed()).isNull();
    driven.feed(new Outcome.Unauthorised(401, "denied"));
    assertThat(driven.state.closed()).isEqualTo(RefuseReason.HELD_UNAUTHORISED);
    driven.feed(new Outcome.Gone(410, "gone"));
    assertThat(driven.state.closed()).isEqualTo(RefuseReason.GONE);
  }

  @Test
  void case15OnlyATimeAndANumberOfFailuresTogetherDisable() {
    BudgetSettings settings =
        settings(1_000, 100, 100).with(new AutoDisable(Duration.ofHours(1), 10));
    DrivenBudget driven = driven(settings);
    Outcome failed = new Outcome.Transient(500, "error", Hint.NONE);
    for (int i = 0; i < 50; i++) {
      driven.feed(failed);
    }
    assertThat(driven.state.closed()).as("one short burst").isNull();
    driven.feed(ok());
    clock.advance(Duration.ofHours(2));
    for (int i = 0; i < 9; i++) {
      driven.feed(failed);
    }
    clock.advance(Duration.ofHours(2));
    assertThat(driven.state.closed()).as("a long time and too few").isNull();
    driven.state = BudgetState.decode(driven.state.encode());
    driven.feed(new Outcome.Throttled(429, "throttled", Hint.NONE));
    assertThat(driven.state.closed()).as("throttled is alive").isNull();
    driven.feed(failed);
    assertThat(driven.state.closed()).isEqualTo(RefuseReason.AUTO_DISABLED);
    driven.state = Budget.reopen(driven.state, driven.settings, clock.instant());
    driven.feed(failed);
    assertThat(driven.state.closed()).as("once, until it has happened anew").isNull();
  }

  @Test
  void aMissingSecretHoldsAtOnceAndASilentStoreOnlyPins() {
    DrivenBudget driven = driven(settings(1_000, 100, 100));
    driven.feed(new Outcome.Misconfigured(0, Outcome.Misconfigured.SECRET_STORE_SILENT));
    assertThat(driven.waitsUntil()).isEqualTo(clock.instant().plusSeconds(5));
    driven.feed(new Outcome.Misconfigured(0, "secret_missing"));
    assertThat(driven.ask()).isEqualTo(new Decision.Refuse(RefuseReason.HELD_MISCONFIGURED));
  }

  @Test
  void settingsSayWhatTheyWanted() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(Double.NaN, 1, 1))
        .withMessageContaining("rate_per_second is NaN, wanted 0.0 to 1000000.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(1, 0, 1))
        .withMessageContaining("burst is 0, wanted 1 to 1000000");
  }
}
