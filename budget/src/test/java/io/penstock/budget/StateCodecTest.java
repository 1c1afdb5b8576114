package io.penstock.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.budget.testing.TestClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StateCodecTest {

  @Test
  void aNewStateIsOneShortPrintableLineThatBeginsWithTheVersion() {
    String text = BudgetState.initial(BudgetSettings.DEFAULT, 42, TestClock.START).encode();
    assertThat(text).isEqualTo("1 s42 g0 f0 b2.5,1773144000000000,50,200");
  }

  @Test
  void anExtremeStateIsReadBackExactly() {
    BudgetState state =
        new BudgetState(
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            new Bucket(-1.0 / 3, Long.MAX_VALUE, Double.MIN_VALUE, 1e300),
            new Pin(-5, 3, true),
            new AdaptiveRate(),
            new Failures(1, 2, 3),
            new Park(1, 2, 3, 4, 5, 6, 7),
            new RetryAllowance(0.1, 2, 3),
            new Runs(1, 2, 3, 4, 5),
            null,
            null,
            RefuseReason.GONE);
    assertThat(BudgetState.decode(state.encode()).encode()).isEqualTo(state.encode());
    assertThat(BudgetState.decode(state.encode()).bucket).isEqualTo(state.bucket);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "2 s1",
        "1 s",
        "1 sx g0 f0 b1,1,1,1",
        "1 s1 g0 f0 b1,1,1",
        "1 ?1",
        "1 s1 g0 f99999999999 b1,1,1,1",
        "1 s1 b1,1,1,1 cNOT_A_REASON"
      })
  void whatIsNoStateIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BudgetState.decode(text))
        .withMessageContaining("not a budget state: " + text);
  }
}
