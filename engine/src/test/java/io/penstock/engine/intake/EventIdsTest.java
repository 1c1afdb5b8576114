package io.penstock.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventIdsTest {
  private final TestClock clock = new TestClock();
  private final EventIds ids = new EventIds(clock, new Random(1));

  @Test
  void anIdIsAVersion7UuidOfTheLedgersTime() {
    UUID id = ids.next();
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(clock.instant().toEpochMilli());
  }

  @Test
  void idsAscendAlsoWhenTheClockStepsBack() {
    UUID before = ids.next();
    for (int i = 0; i < 10_000; i++) {
      if (i % 1_000 == 0) {
        clock.advance(Duration.ofMillis(-3));
      }
      UUID next = ids.next();
      assertThat(next.getMostSignificantBits()).isGreaterThan(before.getMostSignificantBits());
      before = next;
    }
  }
}
