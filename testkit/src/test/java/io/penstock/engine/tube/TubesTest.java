package io.penstock.engine.tube;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tubes and their workers on the ledger in memory, on the test clock. */
@Timeout(120)
class TubesTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(34);

  private final Fleet fleet = new Fleet();

  @Test
  @DisplayName("case 50: shares are in worker-seconds, with jobs of 34 s against jobs of 1 s")
  void case50_sharesHoldWhateverJobsTake() {
    fleet.tube("long", 1.0, LONG, false);
    fleet.tube("short", 1.0, SHORT, false);
    fleet.workers(3, "pool", "long", "short");
    Duration day = Duration.ofHours(1);
    fleet.arrive("long", 200);
    fleet.arrive("short", 4_000);
    fleet.run(day);
    double seconds = day.toSeconds();
    // Each may use what it is allotted, within the bound of the specification.
    double bound = 900 + 3 * LONG.toSeconds() + 0.03 * seconds;
    assertThat(fleet.worked("long")).isBetween(seconds - bound, seconds + bound);
    assertThat(fleet.worked("short")).isBetween(seconds - bound, seconds + bound);
  }

  @Test
  @DisplayName("case 12: a tube that waits for worker-seconds holds no worker")
  void case12_budgetBeforeWorker() {
    fleet.tube("dry", 0.01, LONG, false);
    fleet.tube("free", null, SHORT, false);
    fleet.workers(1, "pool", "dry", "free");
    fleet.arrive("dry", 50);
    fleet.run(Duration.ofMinutes(2));
    int before = fleet.ended("dry");
    assertThat(before).isEqualTo(1);
    fleet.arrive("free", 60);
    fleet.run(Duration.ofMinutes(2));
    assertThat(fleet.ended("free")).isEqualTo(60);
    assertThat(fleet.ended("dry")).isEqualTo(before);
  }

  @Test
  void meteredTubesGoBeforeUnmeteredOnesHoweverLongThoseHaveWaited() {
    fleet.tube("unmetered", null, SHORT, false);
    fleet.tube("metered", 1.0, SHORT, false);
    fleet.arrive("unmetered", 5);
    fleet.run(Duration.ofSeconds(10));
    fleet.arrive("metered", 1);
    fleet.workers(1, "pool", "unmetered", "metered");
    fleet.run(Duration.ofSeconds(1));
    assertThat(tubeOf(fleet.workers.getFirst())).isEqualTo("metered");
  }

  private static String tubeOf(Fleet.Worker worker) {
    return Objects.requireNonNull(worker.job).lease().key().destinationId();
  }

  @Test
  void theLongestWaitingGoesFirstAndAGeneralistLeavesADedicatedWorkersJob() {
    fleet.tube("a", null, LONG, false);
    fleet.tube("b", null, LONG, false);
    fleet.arrive("b", 1);
    fleet.run(Duration.ofSeconds(5));
    fleet.arrive("a", 1);
    fleet.workers(1, "generalists", "a", "b");
    fleet.workers(1, "dedicated", "b");
    fleet.run(Duration.ofSeconds(1));
    assertThat(tubeOf(fleet.workers.get(0))).isEqualTo("a");
    assertThat(tubeOf(fleet.workers.get(1))).isEqualTo("b");
  }

  @Test
  @DisplayName(
      "case 24: the job of a worker that fell silent is back, and its tube has paid for it")
  void case24_aSilentWorkersJobIsRecovered() {
    fleet.tube("t", 1.0, LONG, false);
    fleet.workers(1, "pool", "t");
    fleet.arrive("t", 1);
    fleet.run(Duration.ofSeconds(2));
    Fleet.Worker victim = fleet.workers.getFirst();
    var key = Objects.requireNonNull(victim.job).lease().key();
    victim.dead = true;
    fleet.run(Duration.ofSeconds(31));
    fleet.recover();
    DeliveryRow row = fleet.ledger.inspect().delivery(key).orElseThrow();
    assertThat(row.state()).isEqualTo(DeliveryState.RETRYING);
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(fleet.running("t")).isZero();
    assertThat(fleet.account("t").charged()).isEqualTo(30);
    fleet.workers(1, "others", "t");
    fleet.run(Duration.ofSeconds(60));
    assertThat(fleet.ended("t")).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "case 51: a long job is charged while it runs, so it does not turn its tube on and off")
  void case51_renewalsCharge() {
    fleet.tube("t", 0.5, Duration.ofMinutes(10), false);
    fleet.workers(1, "pool", "t");
    fleet.arrive("t", 1);
    fleet.run(Duration.ofMinutes(5));
    assertThat(fleet.account("t").charged()).as("E when leased").isEqualTo(600);
    fleet.run(Duration.ofMinutes(6));
    assertThat(fleet.ended("t")).isEqualTo(1);
    assertThat(fleet.account("t").charged()).isBetween(599.0, 602.0);
  }

  @Test
  @DisplayName("case 52: debt is let off at its floor, counted, and never becomes a full account")
  void case52_debtHasAFloor() {
    fleet.tube("t", 0.001, SHORT, Duration.ofMinutes(5), false);
    fleet.workers(1, "pool", "t");
    fleet.arrive("t", 5);
    fleet.run(Duration.ofSeconds(400));
    assertThat(fleet.ended("t")).isEqualTo(1);
    assertThat(fleet.account("t").forgiven()).isGreaterThan(10);
    assertThat(fleet.account("t").seconds()).isLessThan(0);
    fleet.run(Duration.ofSeconds(400));
    assertThat(fleet.ended("t")).as("no burst after it").isEqualTo(1);
    assertThat(fleet.running("t")).isZero();
  }

  @Test
  void shortJobsRunOnWhatAnIdlePoolHasToSpareAndAreCountedApart() {
    fleet.tube("lender", 0.01, SHORT, true);
    fleet.tube("strict", 0.01, SHORT, false);
    fleet.workers(3, "pool", "lender", "strict");
    fleet.arrive("lender", 20);
    fleet.arrive("strict", 20);
    fleet.run(Duration.ofSeconds(60));
    assertThat(fleet.ended("lender")).isGreaterThan(fleet.ended("strict"));
    assertThat(fleet.account("lender").lent()).isGreaterThan(0);
    assertThat(fleet.account("strict").lent()).isZero();
    assertThat(fleet.account("lender").charged()).isLessThan(4);
  }

  @Test
  @DisplayName(
      "found by the simulator: a job that waits for its retry is not asked for all the time")
  void aTubeWhoseOnlyJobWaitsForItsRetryLetsTheLoopSleep() {
    fleet.tube("fails", null, LONG, false);
    fleet.tube("empty", null, LONG, false);
    fleet.workers(1, "pool", "fails", "empty");
    fleet.arrive("fails", 1);
    fleet.run(Fleet.STEP.multipliedBy(2));
    fleet.fail(fleet.workers.getFirst());
    fleet.run(Fleet.STEP.multipliedBy(2));
    assertThat(fleet.nap).isGreaterThan(Duration.ofMillis(100));
    fleet.run(Duration.ofSeconds(10));
    assertThat(tubeOf(fleet.workers.getFirst())).as("and it comes back").isEqualTo("fails");
  }

  @Test
  void nothingIsLentWithoutAWorkerThatStaysFree() {
    fleet.tube("lender", 0.01, SHORT, true);
    fleet.workers(1, "pool", "lender");
    fleet.arrive("lender", 20);
    fleet.run(Duration.ofSeconds(60));
    assertThat(fleet.account("lender").lent()).isZero();
  }
}
