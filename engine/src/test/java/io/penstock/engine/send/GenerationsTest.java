package io.penstock.engine.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GenerationsTest {
  private static final long KEPT = 100;
  private final Generations generations = new Generations(KEPT);

  @Test
  void whatWasClaimedUnderAnOlderGenerationIsPassed() {
    generations.are(Map.of("d", 4L), 0);
    generations.are(Map.of("d", 3L), 1); // booked before, and told after
    assertThat(generations.passed("d", 3)).isTrue();
    assertThat(generations.passed("d", 4)).isFalse();
    assertThat(generations.passed("other", 0)).isFalse();
  }

  @Test
  void nothingIsKeptLongerThanSomethingMayBeUnsent() {
    for (int i = 0; i < 10_000; i++) {
      generations.are(Map.of("d" + i, 1L), 10L * i);
    }
    assertThat(generations.size()).isLessThan(30);
    assertThat(generations.passed("d9999", 0)).isTrue();
  }
}
