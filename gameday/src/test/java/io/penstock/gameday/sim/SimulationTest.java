package io.penstock.gameday.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  /** Within so many seeds each planted fault must be found. */
  private static final int SEEDS_PER_FAULT = 2_000;

  private static final int FRESH = 30;

  /** Seeds that once found a fault in the engine, and the first ones. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        34,
        80,
        206,
        4965,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        604,
        2087,
        2501,
        3868,
        4196,
        7028,
        8966,
        10029,
        346,
        447,
        1796070816727L,
        90913816863192L
      })
  void regression_seeds_keep_every_promise(long seed) {
    Simulation.Result result = Simulation.run(Plan.of(seed), Planted.NONE, false);
    BrokenPromise broken = result.broken();
    assertThat(broken).as("./penstock sim --seed %d tells how", seed).isNull();
    assertThat(result.sends()).isPositive();
  }

  @Test
  void fresh_seeds_keep_every_promise() throws InterruptedException {
    Sweep.Outcome outcome = new Sweep(1_000_000, FRESH, null, 2, Planted.NONE).run();
    Simulation.Result failed = outcome.failed();
    assertThat(failed == null ? null : failed.plan().seed())
        .as("the seed that broke a promise; ./penstock sim --seed N tells how")
        .isNull();
    assertThat(outcome.seeds()).isEqualTo(FRESH);
  }

  @Test
  void a_seed_replays_exactly() {
    Simulation.Result once = Simulation.run(Plan.of(11), Planted.NONE, true);
    Simulation.Result again = Simulation.run(Plan.of(11), Planted.NONE, true);
    assertThat(again.story().lines(line -> true)).isEqualTo(once.story().lines(line -> true));
    assertThat(again.hash()).isEqualTo(once.hash());
    assertThat(Simulation.run(Plan.of(12), Planted.NONE, false).hash()).isNotEqualTo(once.hash());
  }

  @ParameterizedTest
  @EnumSource(value = Planted.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void every_planted_fault_is_found(Planted planted) throws InterruptedException {
    Sweep.Outcome outcome = new Sweep(1, SEEDS_PER_FAULT, null, 2, planted).run();
    assertThat(outcome.failed()).as("a seed that finds %s", planted.word()).isNotNull();
  }

  @Test
  void a_failing_run_is_cut_to_a_short_story_of_the_same_fault() throws InterruptedException {
    Planted planted = Planted.THROTTLE_COUNTS_AS_ATTEMPT;
    Simulation.Result failed =
        Objects.requireNonNull(new Sweep(1, SEEDS_PER_FAULT, null, 1, planted).run().failed());
    Simulation.Result cut = Shrinker.shrink(failed, planted);
    BrokenPromise broken = Objects.requireNonNull(cut.broken());
    assertThat(broken.promise).isEqualTo(Objects.requireNonNull(failed.broken()).promise);
    assertThat(cut.plan().acts()).hasSizeLessThan(failed.plan().acts().size());
    assertThat(cut.simulated()).isLessThanOrEqualTo(failed.simulated().plus(Duration.ofMinutes(1)));
    List<Story.Line> story = cut.story().lines(line -> line.about().equals(broken.about));
    assertThat(story.getLast().toString()).contains("AUDITOR").contains(broken.promise);
  }
}
