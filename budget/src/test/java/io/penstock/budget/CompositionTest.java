package io.penstock.budget;

import static io.penstock.budget.DrivenBudget.ok;
import static io.penstock.budget.DrivenBudget.throttled;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.quota.QuotaUse;
import io.penstock.budget.testing.TestClock;
import io.penstock.budget.work.WorkBalance;
import io.penstock.budget.work.WorkSettings;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** All gates in one decision: everything that is needed, or nothing. */
final class CompositionTest {
  private final TestClock clock = new TestClock();
  private final BudgetSettings plain = new BudgetSettings(100, 100, 50, Duration.ofSeconds(15));

  private DrivenBudget driven(BudgetSettings settings) {
    return new DrivenBudget(settings, clock);
  }

  @Test
  @DisplayName("case 1: three nodes that share one state admit together what one may")
  void case01_threeNodesShareOneState() {
    DrivenBudget shared = driven(plain.withRate(1 / 60.0, 1));
    int sent = 0;
    for (int second = 0; second < 600; second++) {
      for (int node = 0; node < 3; node++) {
        sent += shared.takeAll();
        clock.advance(Duration.ofMillis(333));
      }
    }
    assertThat(sent).isEqualTo(10);
  }

  @Test
  @DisplayName("case 5: waiting spends nothing, however often somebody asks")
  void case05_waitingSpendsNothing() {
    DrivenBudget driven = driven(plain);
    driven.feed(throttled(Duration.ofSeconds(10)));
    Duration wait = driven.waits();
    for (int i = 0; i < 1_000; i++) {
      assertThat(driven.waits()).isEqualTo(wait);
    }
    assertThat(driven.state.inFlight()).isZero();
    assertThat(BudgetEffect.of(throttled())).isEqualTo(BudgetEffect.CUT_AND_PIN);
    assertThat(driven.state.closed()).isNull();
  }

  @Test
  @DisplayName("case 7: three nodes that hit one wall cut once")
  void case07_threeNodesCutOnce() {
    DrivenBudget shared = driven(plain);
    Stamp stamp = shared.stamp();
    for (int node = 0; node < 3; node++) {
      shared.feed(stamp, throttled());
    }
    assertThat(shared.rate()).isBetween(48.0, 51.0);
    assertThat(shared.state.generation()).isEqualTo(1);
  }

  @Test
  void whatOneGateRefusesCostsTheOthersNothing() {
    DrivenBudget driven =
        driven(
            plain
                .with(new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, 3, 0))
                .withSlots(2));
    assertThat(driven.takeAll()).as("slots").isEqualTo(2);
    double tokens = driven.state.bucket.tokens();
    assertThat(driven.ask()).isInstanceOf(Decision.Wait.class);
    assertThat(driven.state.bucket.tokens()).isEqualTo(tokens);
    assertThat(driven.state.quota()).extracting(QuotaUse::used).isEqualTo(2L);
    driven.feed(new Feedback.HandedBack(driven.stamp()));
    assertThat(driven.state.quota()).extracting(QuotaUse::used).isEqualTo(1L);
    assertThat(driven.state.bucket.tokens()).isEqualTo(tokens + 1);
    assertThat(driven.takeAll()).isEqualTo(1);
    driven.feed(ok());
    driven.feed(ok());
    assertThat(driven.takeAll()).as("the quota").isEqualTo(1);
    assertThat(driven.ask()).extracting("reason.code").isEqualTo("quota");
  }

  @Test
  void theGateThatStaysShutLongestIsTheOneThatIsTold() {
    DrivenBudget driven =
        driven(plain.with(new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, 5, 0)));
    driven.takeAll();
    driven.feed(throttled(Duration.ofSeconds(20)));
    assertThat(driven.ask()).extracting("reason.code").isEqualTo("quota");
    driven.settings = driven.settings.with(AdaptiveSettings.OFF);
    driven.settings =
        driven.settings.with(new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, 50, 0));
    assertThat(driven.ask()).extracting("reason.code").isEqualTo("pinned");
  }

  @Test
  void aTubeIsChargedAtTheLeaseAtEachRenewalAndAtItsEnd() {
    DrivenBudget tube = driven(plain.with(WorkSettings.of(1, Duration.ofSeconds(10))));
    assertThat(tube.ask()).extracting("most").isEqualTo(1);
    Duration charged = Budget.chargePerJob(tube.state, tube.settings, clock.instant());
    assertThat(charged).isEqualTo(Duration.ofSeconds(10));
    tube.take(1);
    assertThat(balance(tube)).isZero();
    assertThat(tube.ask())
        .as("one at a time until jobs are known")
        .extracting("reason.code")
        .isEqualTo("slots");
    clock.advance(Duration.ofSeconds(30));
    Budget.Renewed renewed =
        Budget.renew(tube.state, tube.settings, charged, Duration.ofSeconds(30), clock.instant());
    assertThat(renewed.charged()).isEqualTo(Duration.ofSeconds(30));
    tube.state = BudgetState.decode(renewed.state().encode());
    assertThat(balance(tube)).isEqualTo(10);
    clock.advance(Duration.ofSeconds(5));
    tube.state =
        Budget.feedJob(
            tube.state,
            tube.settings,
            new JobFeedback.Ended(
                tube.stamp(), ok(), Duration.ofSeconds(35), renewed.charged(), false),
            clock.instant());
    assertThat(balance(tube)).isEqualTo(10);
    assertThat(tube.state.inFlight()).isZero();
  }

  @Test
  void aJobThatIsHandedBackReturnsItsCharge() {
    DrivenBudget tube = driven(plain.with(WorkSettings.of(1, Duration.ofSeconds(10))));
    tube.take(1);
    tube.state =
        Budget.feedJob(
            tube.state,
            tube.settings,
            new JobFeedback.HandedBack(tube.stamp(), Duration.ofSeconds(10)),
            clock.instant());
    assertThat(balance(tube)).isEqualTo(10);
    tube.take(1);
    assertThat(tube.state.inFlight()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(4));
    tube.feed(new Feedback.LeaseLost(tube.stamp()));
    assertThat(tube.ask())
        .isInstanceOfSatisfying(
            Decision.Wait.class,
            wait -> {
              assertThat(wait.reason()).isEqualTo(new WaitReason.WorkerSeconds(4, 10, 1));
              assertThat(wait.until()).isEqualTo(clock.instant().plusSeconds(6));
            });
  }

  private static double balance(DrivenBudget tube) {
    WorkBalance work = tube.state.work();
    return work == null ? Double.NaN : work.seconds();
  }

  @Test
  void aLostLeaseIsChargedAndCutsAndParksNothing() {
    BudgetSettings metered = plain.with(WorkSettings.of(1, Duration.ofSeconds(10)));
    DrivenBudget tube = driven(metered);
    tube.takeAll();
    double rate = tube.state.ratePerSecond(metered);
    clock.advance(Duration.ofSeconds(30));
    tube.state =
        Budget.feedJob(
            tube.state,
            metered,
            new JobFeedback.Lost(
                tube.stamp(), Duration.ofSeconds(30), Duration.ofSeconds(10), false),
            clock.instant());
    assertThat(tube.state.inFlight()).isZero();
    assertThat(tube.state.ratePerSecond(metered)).isEqualTo(rate);
    WorkBalance account = Objects.requireNonNull(tube.state.work());
    assertThat(account.charged()).isEqualTo(30);
    assertThat(account.estimate().samples()).isZero();
  }

  @Test
  void shortJobsBorrowOnlyWhereOneWorkerStaysFreeAndThePoolWasIdle() {
    BudgetSettings metered = plain.with(WorkSettings.of(0.01, Duration.ofSeconds(10)));
    DrivenBudget tube = driven(metered);
    tube.state =
        Budget.debit(tube.state, metered, new Budget.Debit(1, 0, 0, false), clock.instant());
    tube.state =
        Budget.feedJob(
            tube.state,
            metered,
            new JobFeedback.Cancelled(
                tube.stamp(), Duration.ofSeconds(10), Duration.ofSeconds(10), false),
            clock.instant());
    clock.advance(Duration.ofSeconds(1));
    assertThat(borrows(tube, metered, 2, 5)).isInstanceOf(Decision.Admit.class);
    assertThat(borrows(tube, metered, 1, 5)).isInstanceOf(Decision.Wait.class);
    assertThat(borrows(tube, metered, 2, 4)).isInstanceOf(Decision.Wait.class);
    double charged = Objects.requireNonNull(tube.state.work()).charged();
    tube.state =
        Budget.debit(tube.state, metered, new Budget.Debit(1, 0, 0, false, true), clock.instant());
    assertThat(borrows(tube, metered, 2, 5))
        .as("the run cap holds")
        .isInstanceOf(Decision.Wait.class);
    tube.state =
        Budget.feedJob(
            tube.state,
            metered,
            new JobFeedback.Ended(
                tube.stamp(), ok(), Duration.ofSeconds(7), Duration.ZERO, false, true),
            clock.instant());
    WorkBalance account = Objects.requireNonNull(tube.state.work());
    assertThat(account.charged()).isEqualTo(charged);
    assertThat(account.lent()).isEqualTo(7);
    assertThat(tube.state.inFlight()).isZero();
  }

  private Decision borrows(DrivenBudget tube, BudgetSettings settings, int free, int idleSeconds) {
    return Budget.askToBorrow(
        tube.state, settings, free, Duration.ofSeconds(idleSeconds), clock.instant());
  }
}
