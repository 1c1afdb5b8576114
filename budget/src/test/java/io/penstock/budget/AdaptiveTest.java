package io.penstock.budget;

import static io.penstock.budget.DrivenBudget.failed;
import static io.penstock.budget.DrivenBudget.ok;
import static io.penstock.budget.DrivenBudget.throttled;
import static io.penstock.budget.DrivenBudget.timedOut;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rate that follows the answers: cuts, the way back, park and probe. */
final class AdaptiveTest {
  private final TestClock clock = new TestClock();
  private final DrivenBudget driven =
      new DrivenBudget(new BudgetSettings(200, 200, 128, Duration.ofSeconds(15)), clock);

  @Test
  @DisplayName("case 7: 128 answers of 429 with one stamp make exactly one halving")
  void case07_oneCutPerGeneration() {
    driven.run(Duration.ofSeconds(5), ok());
    Stamp stamp = driven.stamp();
    for (int i = 0; i < 128; i++) {
      driven.feed(stamp, throttled());
      clock.advance(Duration.ofMillis(i / 50));
    }
    assertThat(driven.rate()).isBetween(95.0, 101.0);
    clock.advance(Duration.ofSeconds(2));
    driven.feed(stamp, throttled());
    assertThat(driven.state.generation()).isEqualTo(stamp.generation() + 1);
  }

  @Test
  void aStaleAnswerCutsNothingAndMayOnlyExtendThePin() {
    driven.run(Duration.ofSeconds(5), ok());
    Stamp old = driven.stamp();
    driven.feed(throttled());
    clock.advance(Duration.ofSeconds(2));
    double rate = driven.rate();
    driven.feed(old, throttled());
    driven.feed(old, timedOut());
    assertThat(driven.rate()).isGreaterThanOrEqualTo(rate);
    driven.feed(old, throttled(Duration.ofSeconds(7)));
    assertThat(driven.waits()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
  }

  @Test
  void twoCutsAreAnEpochApartEvenInGenerationsOfTheirOwn() {
    driven.run(Duration.ofSeconds(5), ok());
    driven.feed(throttled());
    double once = driven.rate();
    clock.advance(Duration.ofMillis(900));
    driven.feed(throttled());
    assertThat(driven.rate()).isGreaterThanOrEqualTo(once);
    clock.advance(Duration.ofMillis(200));
    driven.feed(throttled());
    assertThat(driven.rate()).isLessThan(once);
  }

  @Test
  @DisplayName("case 14: after a short blip the rate is back in seconds")
  void case14_theWayBackTakesSeconds() {
    driven.run(Duration.ofSeconds(20), ok());
    driven.run(Duration.ofSeconds(1), throttled());
    int sent = driven.run(Duration.ofSeconds(3), ok());
    assertThat(sent).as("within 3 s").isGreaterThan(400);
    driven.run(Duration.ofSeconds(20), ok());
    assertThat(driven.rate()).as("95 % of the ceiling within 20 s").isGreaterThan(190);
  }

  @Test
  void anIdleDestinationLearnsNothing() {
    driven.run(Duration.ofSeconds(5), ok());
    driven.feed(throttled());
    double cut = driven.rate();
    clock.advance(Duration.ofSeconds(1));
    driven.ask();
    for (int i = 0; i < 100; i++) {
      clock.advance(Duration.ofMillis(100));
      driven.ask();
    }
    assertThat(driven.rate()).isLessThan(cut * 1.5);
  }

  @Test
  void belowTheCeilingATenthOfASecondIsStoredAndPaced() {
    driven.run(Duration.ofSeconds(5), ok());
    driven.feed(timedOut());
    clock.advance(Duration.ofSeconds(60));
    assertThat(driven.ask())
        .isInstanceOfSatisfying(
            Decision.Admit.class,
            admit -> {
              assertThat(admit.most()).isLessThanOrEqualTo(20);
              assertThat(admit.paceOver()).isEqualTo(Duration.ofMillis(100));
            });
  }

  @Test
  void aTimeoutCutsAtOnceAndOtherFailuresFromTheThirdInARowWithoutAPin() {
    driven.feed(failed());
    driven.feed(failed());
    assertThat(driven.rate()).isEqualTo(200);
    driven.feed(failed());
    assertThat(driven.rate()).isLessThan(101);
    DrivenBudget other = new DrivenBudget(driven.settings, clock);
    other.feed(timedOut());
    assertThat(other.rate()).isLessThan(101);
    assertThat(other.ask()).isInstanceOf(Decision.Admit.class);
  }

  @Test
  void aRaisedOrLoweredCeilingActsAtOnce() {
    driven.settings = driven.settings.withRate(1_000, 10);
    assertThat(driven.rate()).isEqualTo(1_000);
    driven.feed(throttled());
    driven.settings = driven.settings.withRate(50, 10);
    assertThat(driven.rate()).isEqualTo(50);
    driven.settings = driven.settings.withRate(1_000, 10).with(AdaptiveSettings.OFF);
    driven.ask();
    assertThat(driven.rate()).isEqualTo(1_000);
  }

  @Test
  void twentyFailuresOverFourSecondsParkAndOneProbeAtATimeKnocks() {
    parkByFailures();
    Duration first = driven.waits();
    assertThat(first).isBetween(Duration.ofMillis(4_950), Duration.ofMillis(6_001));
    clock.advance(first);
    assertThat(driven.ask()).extracting("probe", "most").containsExactly(true, 1);
    driven.takeAll();
    assertThat(driven.waits()).as("one at a time").isGreaterThan(Duration.ofSeconds(19));
    driven.feed(probe(), failed());
    assertThat(driven.waits())
        .as("the gap doubles")
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(12).plusMillis(1));
  }

  private void parkByFailures() {
    driven.run(Duration.ofSeconds(5), ok());
    for (int i = 0; i < 100 && !driven.state.parked(); i++) {
      driven.run(Duration.ofMillis(50), failed());
    }
    assertThat(driven.state.parked()).isTrue();
  }

  private Stamp probe() {
    return new Stamp(driven.state.generation(), true, false, false);
  }

  @Test
  void theGapsOfAThrottlingReceiverStayShort() {
    driven.run(Duration.ofSeconds(5), ok());
    driven.run(Duration.ofSeconds(20), throttled());
    assertThat(driven.state.parked()).isTrue();
    for (int i = 0; i < 5; i++) {
      clock.set(driven.waitsUntil());
      driven.takeAll();
      driven.feed(probe(), throttled());
      assertThat(driven.waits()).isLessThanOrEqualTo(Duration.ofSeconds(6).plusMillis(1));
    }
    clock.set(driven.waitsUntil());
    driven.takeAll();
    driven.feed(probe(), throttled(Duration.ofSeconds(100)));
    assertThat(driven.waits()).as("never before Retry-After").isGreaterThan(Duration.ofSeconds(99));
  }

  @Test
  void aLostProbeDoesNotHoldTheGateForEver() {
    parkByFailures();
    clock.set(driven.waitsUntil());
    driven.takeAll();
    clock.advance(Duration.ofSeconds(21));
    assertThat(driven.ask()).extracting("probe").isEqualTo(true);
  }

  @Test
  void anAnswerToTheProbeUnparksWithAnEmptyBucketAndALowRate() {
    parkByFailures();
    long generation = driven.state.generation();
    clock.set(driven.waitsUntil());
    driven.takeAll();
    driven.feed(probe(), new Outcome.Rejected(404, "not_found"));
    assertThat(driven.state.parked()).isFalse();
    assertThat(driven.state.generation()).isEqualTo(generation + 1);
    assertThat(driven.rate()).isEqualTo(200 / 64.0);
    assertThat(driven.takeAll()).isZero();
    int sent = driven.run(Duration.ofSeconds(5), ok());
    assertThat(sent).isGreaterThan(400);
  }

  @Test
  void ourOwnFaultsLeaveAParkedBudgetAsItIs() {
    parkByFailures();
    clock.set(driven.waitsUntil());
    driven.takeAll();
    driven.feed(probe(), new Outcome.Ours(0, "database"));
    assertThat(driven.state.parked()).isTrue();
    assertThat(driven.ask()).as("the probe may go again").extracting("probe").isEqualTo(true);
  }

  @Test
  void aLateAnswerDoesNotUnparkButA410StillCloses() {
    driven.run(Duration.ofSeconds(1), ok());
    Stamp late = driven.stamp();
    parkByFailures();
    driven.feed(late, ok());
    assertThat(driven.state.parked()).isTrue();
    driven.feed(late, new Outcome.Gone(410, "gone"));
    assertThat(driven.ask()).isEqualTo(new Decision.Refuse(RefuseReason.GONE));
  }

  @Test
  void aClosedBudgetCallsBackWhatIsUnsent() {
    Stamp claimed = driven.stamp();
    driven.feed(claimed, new Outcome.Gone(410, "gone"));
    assertThat(driven.state.generation()).isEqualTo(claimed.generation() + 1);
    driven.feed(claimed, new Outcome.Gone(410, "gone"));
    assertThat(driven.state.generation()).as("closed once").isEqualTo(claimed.generation() + 1);
  }

  @Test
  @DisplayName("case 13: a probe takes a slot like anything else")
  void case13_aProbeWaitsForASlot() {
    driven.settings = driven.settings.withSlots(2);
    driven.run(Duration.ofSeconds(1), ok());
    driven.take(2);
    Stamp hanging = driven.stamp();
    driven.feed(throttled(Duration.ofSeconds(31)));
    driven.take(1); // lost with its node
    clock.set(driven.waitsUntil());
    clock.advance(Duration.ofMinutes(1));
    assertThat(driven.ask()).extracting("reason.code").isEqualTo("slots");
    driven.feed(new Feedback.LeaseLost(hanging));
    assertThat(driven.ask()).extracting("probe").isEqualTo(true);
  }

  @Test
  void aLongRetryAfterParksAtOnce() {
    driven.feed(throttled(Duration.ofSeconds(31)));
    assertThat(driven.state.parked()).isTrue();
    assertThat(driven.waits()).isBetween(Duration.ofSeconds(31), Duration.ofSeconds(35));
  }

  @Test
  @DisplayName("case 11: a parked budget that is stored stays parked")
  void case11_aParkSurvivesStorage() {
    parkByFailures();
    Duration wait = driven.waits();
    driven.state = BudgetState.decode(driven.state.encode());
    assertThat(driven.state.parked()).isTrue();
    assertThat(driven.waits()).isEqualTo(wait);
  }

  @Test
  void aClockSetBackAnHourDoesNotLengthenAPark() {
    parkByFailures();
    clock.advance(Duration.ofHours(-1));
    assertThat(driven.waits()).isLessThan(Duration.ofSeconds(7));
  }

  @Test
  void retriesKeepToTheirShareOnlyWhileAnswersAreBad() {
    driven.run(Duration.ofSeconds(5), ok());
    assertThat(driven.ask()).extracting("mostRetries").isNotEqualTo(0);
    for (int i = 0; i < 6; i++) {
      driven.feed(failed());
    }
    driven.take(1);
    int retries = 0;
    int sent = 0;
    for (int i = 0; i < 3_000; i++) {
      clock.advance(Duration.ofMillis(20));
      if (driven.ask() instanceof Decision.Admit admit) {
        int again = Math.min(admit.most(), admit.mostRetries());
        driven.take(admit.most(), again);
        sent += admit.most();
        retries += again;
        for (int k = 0; k < admit.most(); k++) {
          driven.feed(k % 2 == 0 ? ok() : failed());
        }
      }
    }
    double allowed = 0.2 * sent + 60 + 10 + 0.2 * 200;
    assertThat(sent).isGreaterThan(1_000);
    assertThat((double) retries).isBetween(0.2 * sent, allowed);
    for (int i = 0; i < 50; i++) {
      driven.feed(ok());
    }
    clock.advance(Duration.ofSeconds(1));
    assertThat(driven.ask()).isInstanceOf(Decision.Admit.class);
    assertThat(Budget.retriesWait(driven.state, driven.settings, clock.instant())).isNull();
  }

  @Test
  void anEmptyAllowanceDelaysRetriesAndSaysUntilWhen() {
    for (int i = 0; i < 6; i++) {
      driven.feed(failed());
    }
    driven.take(12, 12);
    clock.advance(Duration.ofMillis(300));
    assertThat(driven.ask())
        .isInstanceOfSatisfying(
            Decision.Admit.class, admit -> assertThat(admit.mostRetries()).isZero());
    Decision.Wait wait = Budget.retriesWait(driven.state, driven.settings, clock.instant());
    assertThat(wait)
        .isInstanceOfSatisfying(
            Decision.Wait.class,
            it ->
                assertThat(it.until())
                    .isAfter(clock.instant())
                    .isBefore(clock.instant().plusSeconds(2)));
  }
}
