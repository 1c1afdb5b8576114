package io.penstock.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.testing.Seeds;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void itGrowsByTheFactorUpToTheLongest() {
    RandomGenerator always = new Random(1);
    for (int spent = 1; spent <= 20; spent++) {
      long whole = (long) Math.min(6 * 3600e3, 5e3 * Math.pow(5, spent - 1));
      assertThat(Backoff.DEFAULT.after(spent, always).toMillis()).isBetween(whole / 2, whole);
    }
  }

  @Test
  void case03RetriesOfASharedOutageSpreadOverTheUpperHalf() {
    Seeds.forEach(
        20,
        random -> {
          long[] waits =
              LongStream.range(0, 2_000)
                  .map(i -> Backoff.DEFAULT.after(2, random).toMillis())
                  .sorted()
                  .toArray();
          assertThat(waits[0]).isGreaterThanOrEqualTo(12_500);
          assertThat(waits[waits.length - 1]).isLessThanOrEqualTo(25_000);
          // No tenth of the range holds more than a sixth of the retries.
          for (int tenth = 0; tenth < 10; tenth++) {
            long from = 12_500 + tenth * 1_250L;
            long in = LongStream.of(waits).filter(w -> w >= from && w < from + 1_250).count();
            assertThat(in).isLessThan(2_000 / 6);
          }
        });
  }

  @Test
  void settingsOutOfRangeAreRefusedWithTheirValues() {
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, 5, Duration.ofHours(6)))
        .hasMessageContaining("base > 0")
        .hasMessageContaining("PT0S");
  }
}
