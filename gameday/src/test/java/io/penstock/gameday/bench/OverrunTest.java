package io.penstock.gameday.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OverrunTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void a_sender_within_its_limit_exceeds_it_by_its_burst_at_most() {
    Overrun overrun = new Overrun(10);
    overrun.add(5, 0);
    for (int i = 1; i <= 100; i++) {
      overrun.add(1, i * SECOND / 10);
    }
    assertThat(overrun.highest()).isEqualTo(5);
  }

  @Test
  void one_window_in_the_middle_that_holds_too_many_is_found() {
    Overrun overrun = new Overrun(1);
    for (int i = 0; i < 100; i++) {
      overrun.add(1, 10L * i * SECOND);
    }
    assertThat(overrun.highest()).isEqualTo(1);
    overrun.add(2, 1_000 * SECOND);
    overrun.add(2, 1_000 * SECOND + SECOND / 2);
    assertThat(overrun.highest()).isCloseTo(3.5, within(1e-9));
  }

  @Test
  void what_comes_back_unsent_counts_no_more() {
    Overrun overrun = new Overrun(1);
    overrun.add(3, 0);
    overrun.add(-3, SECOND / 100);
    overrun.add(3, SECOND / 50);
    assertThat(overrun.highest()).isEqualTo(3);
  }
}
