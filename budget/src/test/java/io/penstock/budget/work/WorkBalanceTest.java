package io.penstock.budget.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.budget.testing.Seeds;
import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class WorkBalanceTest {
  private static final Instant START = TestClock.START;

  private static Instant at(double seconds) {
    return START.plusNanos((long) (seconds * 1e9));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** An account that has seen three jobs of this length. */
  private static WorkBalance knowing(WorkSettings settings, double jobSeconds) {
    WorkBalance initial = WorkBalance.initial(settings, START);
    return new WorkBalance(
        initial.seconds(), START, new Estimate(jobSeconds, Estimate.ENOUGH, 0), 0, 0, 0, 0);
  }

  @Test
  void theAccountFillsUpToItsCapacityAndNoFurther() {
    WorkSettings settings = WorkSettings.of(0.5);
    WorkBalance balance = WorkBalance.initial(settings, START);
    assertThat(balance.seconds()).isEqualTo(60);
    assertThat(balance.accrue(settings, at(100)).seconds()).isEqualTo(110);
    assertThat(balance.accrue(settings, at(10 * 86_400)).seconds()).isEqualTo(450);
    assertThat(balance.accrue(settings, at(-0.5)).seconds()).isEqualTo(60);
    assertThat(balance.accrue(settings, at(-3_600)).accrue(settings, at(-3_500)).seconds())
        .as("an hour back blocks nobody")
        .isEqualTo(110);
  }

  @Test
  @DisplayName("case 51: the charge is made at the lease, so several workers cannot all pass")
  void case51_gateAndChargeAreOneStep() {
    WorkSettings settings = WorkSettings.of(10);
    WorkBalance balance = knowing(settings, 34).accrue(settings, at(3.4));
    assertThat(balance.admits(settings, 0)).isEqualTo(2);
    assertThat(balance.leased(settings, 2).admits(settings, 2)).isZero();
  }

  @Test
  void aJobThatIsLongerThanTheCapacityRunsOnAFullAccount() {
    WorkSettings settings = WorkSettings.of(0.1);
    WorkBalance balance = knowing(settings, 1_800);
    assertThat(balance.accrue(settings, at(10)).admits(settings, 0)).isZero();
    WorkBalance full = balance.accrue(settings, at(900));
    assertThat(full.seconds()).isEqualTo(90);
    assertThat(full.admits(settings, 0)).isEqualTo(1);
    assertThat(full.leased(settings, 1).seconds()).isEqualTo(90 - 1_800);
  }

  @Test
  void untilThreeJobsAreKnownTheyGoOneAtATime() {
    WorkSettings settings = WorkSettings.of(5, Duration.ofSeconds(1));
    WorkBalance balance = WorkBalance.initial(settings, START).accrue(settings, at(60));
    assertThat(balance.admits(settings, 0)).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      balance = balance.leased(settings, 1).ended(settings, seconds(1), seconds(2), true, false);
    }
    assertThat(balance.admits(settings, 0)).isEqualTo(5);
    assertThat(balance.admits(settings, 5)).isZero();
  }

  @Test
  void jobsThatDidNothingDoNotTeachButTwentyInARowHalve() {
    WorkSettings settings = WorkSettings.of(1);
    WorkBalance balance = knowing(settings, 40);
    for (int i = 0; i < 19; i++) {
      balance = balance.ended(settings, seconds(0.1), seconds(0.1), true, i % 2 == 0);
    }
    assertThat(balance.estimate().seconds()).isEqualTo(40);
    for (int i = 0; i < 20 * 12; i++) {
      balance = balance.ended(settings, seconds(0.1), seconds(0.1), true, false);
    }
    assertThat(balance.estimate().seconds()).as("all of them converge").isLessThan(1);
  }

  @Test
  void failedRunsAreChargedAndTeachNothingAndASettleCorrectsTheCharge() {
    WorkSettings settings = WorkSettings.of(1);
    WorkBalance balance = knowing(settings, 10).leased(settings, 1);
    double before = balance.seconds();
    WorkBalance failed = balance.ended(settings, seconds(10), seconds(100), false, false);
    assertThat(failed.seconds()).isEqualTo(before - 90);
    assertThat(failed.estimate()).isEqualTo(balance.estimate());
    WorkBalance early = balance.ended(settings, seconds(10), seconds(4), true, false);
    assertThat(early.seconds()).isEqualTo(before + 6);
    assertThat(early.estimate().seconds()).isCloseTo(8.8, within(1e-9));
  }

  @Test
  void aRunningJobIsChargedAtEachRenewalAndRaisesTheExpectation() {
    WorkSettings settings = WorkSettings.of(1);
    WorkBalance balance = knowing(settings, 1).leased(settings, 1);
    double before = balance.seconds();
    WorkBalance renewed = balance.renewed(settings, seconds(1), seconds(30));
    assertThat(renewed.seconds()).isEqualTo(before - 29);
    assertThat(renewed.estimate().seconds()).isEqualTo(1.6);
    WorkBalance again = renewed.renewed(settings, seconds(30), seconds(30));
    assertThat(again.charged()).as("the same time is charged once").isEqualTo(renewed.charged());
  }

  @Test
  @DisplayName("a mean that jumps from 1 s to 10 min leaves at most the allotment running")
  void aJumpOfTheMeanDoesNotLetJobsPileUp() {
    WorkSettings settings = WorkSettings.of(2);
    WorkBalance balance = knowing(settings, 1).accrue(settings, at(3_600));
    int running = 0;
    int most = 0;
    for (int second = 3_600; second < 7_200; second++) {
      balance = balance.accrue(settings, at(second));
      int admitted = balance.admits(settings, running);
      balance = balance.leased(settings, admitted);
      running += admitted;
      most = Math.max(most, running);
      if (second % 600 == 599) {
        for (; running > 0; running--) {
          balance = balance.ended(settings, seconds(1), seconds(600), true, false);
        }
      }
    }
    assertThat(most).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "case 52: a debt is forgiven down to the floor, counted, and never to a full account")
  void case52_onlyAnOverrunBeyondTheFloorIsForgiven() {
    WorkSettings settings = WorkSettings.of(0.1);
    WorkBalance balance = knowing(settings, 10).leased(settings, 1);
    WorkBalance after = balance.ended(settings, seconds(10), seconds(100_000), false, false);
    assertThat(after.seconds()).isEqualTo(-(0.1 * 3_600 + 10));
    assertThat(after.forgiven()).isPositive();
    assertThat(after.admits(settings, 0)).isZero();
    WorkBalance long30Minutes = knowing(settings, 1_800).accrue(settings, at(900));
    WorkBalance charged = long30Minutes.leased(settings, 1);
    assertThat(charged.forgiven()).as("what was charged at the lease is owed in full").isZero();
  }

  @Test
  void whatIsHandedBackComesBackAndWhatIsLentIsCountedApart() {
    WorkSettings settings = WorkSettings.of(1);
    WorkBalance balance = knowing(settings, 10).accrue(settings, at(10));
    assertThat(balance.leased(settings, 1).handedBack(settings, seconds(10)).seconds())
        .isEqualTo(balance.seconds());
    assertThat(balance.mayBorrow(settings, 2, Duration.ofSeconds(5))).isTrue();
    assertThat(balance.mayBorrow(settings, 1, Duration.ofSeconds(5)))
        .as("one stays free")
        .isFalse();
    assertThat(balance.mayBorrow(settings, 2, Duration.ofSeconds(4))).isFalse();
    WorkBalance lent = balance.borrowed(settings, seconds(12), true, false);
    assertThat(lent.seconds()).isEqualTo(balance.seconds());
    assertThat(lent.lent()).isEqualTo(12);
  }

  @Test
  void aStoryThatIsPlayedFasterIsTheSameStory() {
    Seeds.forEach(100, WorkBalanceTest::sameStory);
  }

  private static void sameStory(RandomGenerator random) {
    int times = 60;
    double allotment = 0.25 * (1 + random.nextInt(8));
    WorkSettings usual = WorkSettings.of(allotment, seconds(30)).withConcurrency(8);
    WorkSettings faster =
        WorkSettings.of(allotment, seconds(30.0 / times), WorkTimes.DEFAULT.faster(times))
            .withConcurrency(8);
    WorkBalance slow = WorkBalance.initial(usual, START);
    WorkBalance fast = WorkBalance.initial(faster, START);
    double now = 0;
    for (int i = 0; i < 200; i++) {
      now += random.nextInt(100) * 0.5;
      slow = slow.accrue(usual, at(now));
      fast = fast.accrue(faster, at(now / times));
      assertThat(fast.admits(faster, i % 9)).isEqualTo(slow.admits(usual, i % 9));
      assertThat(fast.seconds() * times).isCloseTo(slow.seconds(), within(1e-3));
      double took = random.nextInt(20) == 0 ? 7_200 : 0.1 + 60 * random.nextDouble();
      boolean noOp = random.nextInt(4) == 0;
      double charged = slow.estimate().seconds();
      slow = slow.leased(usual, 1).ended(usual, seconds(charged), seconds(took), true, noOp);
      fast =
          fast.leased(faster, 1)
              .ended(faster, seconds(charged / times), seconds(took / times), true, noOp);
    }
  }

  @Test
  void theBalanceIsTheSumOfItsPartsInEveryHistory() {
    Seeds.forEach(200, WorkBalanceTest::sumOfParts);
  }

  private record Lease(double charged, double since) {}

  private static void sumOfParts(RandomGenerator random) {
    double allotment = 0.05 + 3 * random.nextDouble();
    WorkSettings settings = WorkSettings.of(allotment).withConcurrency(8);
    WorkBalance balance = WorkBalance.initial(settings, START);
    double start = balance.seconds();
    List<Lease> leases = new ArrayList<>();
    double now = 0;
    for (int i = 0; i < 300; i++) {
      now += random.nextInt(100) * 0.25;
      balance = balance.accrue(settings, at(now));
      int admitted = balance.admits(settings, leases.size());
      double charged = balance.estimate().seconds();
      balance = balance.leased(settings, admitted);
      for (int k = 0; k < admitted; k++) {
        leases.add(new Lease(charged, now));
      }
      if (!leases.isEmpty() && random.nextInt(3) > 0) {
        Lease lease = leases.remove(random.nextInt(leases.size()));
        double took = random.nextInt(10) == 0 ? 50_000 * random.nextDouble() : now - lease.since;
        balance =
            balance.ended(
                settings,
                seconds(lease.charged),
                seconds(took),
                random.nextBoolean(),
                random.nextBoolean());
      }
      double sum =
          start + allotment * now - balance.clipped() + balance.forgiven() - balance.charged();
      assertThat(balance.seconds()).isCloseTo(sum, within(1e-3));
      assertThat(balance.seconds()).isLessThanOrEqualTo(allotment * 900 + 1e-3);
    }
  }
}
