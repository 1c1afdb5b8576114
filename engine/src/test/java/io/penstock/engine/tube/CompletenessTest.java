package io.penstock.engine.tube;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.limits.TubeLimits.EmptyWhen;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletenessTest {
  private static final byte[] NONE = {};

  @ParameterizedTest(name = "yield {0}, no-op {1}, partial {2}: {3} by yield, {4} by no-op")
  @CsvSource({
    "-1, false, false, true,  true",
    " 1, false, false, true,  true",
    " 0, false, false, false, true",
    "-1, true,  false, false, false",
    " 1, true,  false, false, false",
    " 5, false, true,  false, false",
    "-1, false, true,  false, false",
  })
  void aCompletedRunIsCompleteWhenItIsWholeAndNotEmpty(
      long yield, boolean noOp, boolean partial, boolean byYield, boolean byNoOp) {
    JobEnd end = new JobEnd.Completed(yield, noOp, partial, List.of("a"), NONE);
    assertThat(Completeness.of(end, EmptyWhen.NO_YIELD)).isEqualTo(byYield);
    assertThat(Completeness.of(end, EmptyWhen.NO_OP)).isEqualTo(byNoOp);
  }

  @Test
  void whatDidNotEndWellIsNeverComplete() {
    for (JobEnd end :
        List.of(
            new JobEnd.Failed(new Outcome.Transient(0, "x", Hint.NONE), NONE),
            new JobEnd.Released(),
            new JobEnd.Lost())) {
      assertThat(Completeness.of(end, EmptyWhen.NO_OP)).isFalse();
    }
  }
}
