package io.penstock.engine.wave;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PhaseTest {

  @Test
  @DisplayName("case 53: phases are uniform over the window and the same each time")
  void phases_are_uniform_and_stable() {
    int[] tenths = new int[10];
    for (int i = 0; i < 10_000; i++) {
      double phase = Phase.of("tube_1", "line-" + i);
      assertThat(phase)
          .isBetween(0.0, Math.nextDown(1.0))
          .isEqualTo(Phase.of("tube_1", "line-" + i));
      tenths[(int) (phase * 10)]++;
    }
    for (int tenth : tenths) {
      assertThat(tenth).isBetween(850, 1_150);
    }
  }

  @Test
  void the_same_item_has_another_place_in_another_space() {
    assertThat(Phase.of("a", "bc")).isNotEqualTo(Phase.of("ab", "c"));
  }

  /** Written down, since a change of it moves every item of every wave. */
  @Test
  void a_phase_never_changes() {
    assertThat(Phase.of("tube_1", "line-1")).isEqualTo(0.26924832161957446);
  }
}
