package io.penstock.engine.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LedgerTimeTest {
  private final TestClock node = new TestClock(Instant.EPOCH.plusSeconds(7));
  private final LedgerTime time = new LedgerTime(node::nanos);
  private final Instant ledger = TestClock.START;

  @Test
  void beforeTheFirstReadingThereIsNoTime() {
    assertThatThrownBy(time::now).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void betweenReadingsTheMonotonicClockCarriesIt() {
    time.observe(ledger);
    node.advance(Duration.ofMillis(1_500));
    assertThat(time.now()).isEqualTo(ledger.plusMillis(1_500));
  }

  @Test
  void anOlderReadingDoesNotTurnItBack() {
    time.observe(ledger);
    node.advance(Duration.ofSeconds(1));
    time.observe(ledger.plusMillis(400));
    assertThat(time.now()).isEqualTo(ledger.plusSeconds(1));
    assertThat(time.trusted()).isTrue();
  }

  @Test
  void aSmallStepBackIsBelievedWhenEveryReadingTellsOfIt() {
    time.observe(ledger);
    for (int i = 1; i <= 4; i++) {
      node.advance(Duration.ofMillis(500));
      time.observe(ledger.minusSeconds(3).plusMillis(500L * i));
    }
    assertThat(time.now()).isEqualTo(ledger.minusSeconds(1));
    assertThat(time.trusted()).isTrue();
    assertThat(time.jumps()).isZero();
  }

  @Test
  void aJumpIsBelievedButNothingExpiresByItForAWhile() {
    time.observe(ledger);
    time.observe(ledger.plus(Duration.ofDays(10)));
    assertThat(time.now()).isEqualTo(ledger.plus(Duration.ofDays(10)));
    assertThat(time.trusted()).isFalse();
    assertThat(time.jumps()).isEqualTo(1);
    node.advance(LedgerTime.DISTRUST);
    assertThat(time.trusted()).isTrue();
  }

  @Test
  void anHourBackIsAJumpToo() {
    time.observe(ledger);
    time.observe(ledger.minus(Duration.ofHours(1)));
    assertThat(time.now()).isEqualTo(ledger.minus(Duration.ofHours(1)));
    assertThat(time.trusted()).isFalse();
  }
}
