package io.penstock.budget.memory;

import io.penstock.budget.AdaptiveSettings;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Decision;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Whatever two threads do to one budget could have been done by one of them. */
@Param(name = "count", gen = IntGen.class, conf = "1:3")
public class MemoryBudgetLincheckTest {
  private final MemoryBudget budget =
      new MemoryBudget(
          new BudgetSettings(100, 4, 3, Duration.ofSeconds(15)).with(AdaptiveSettings.OFF),
          new TestClock(),
          1);

  /** Made by the checker, once for every history. */
  public MemoryBudgetLincheckTest() {}

  @Operation
  public int take(@Param(name = "count") int count) {
    return budget.take(count) instanceof Decision.Admit admit ? admit.most() : 0;
  }

  @Operation
  public void ended() {
    budget.ended(
        new Decision.Admit(1, 1, 1, false, 0, Duration.ZERO),
        new Outcome.Delivered(200, "ok", Hint.NONE),
        Duration.ofMillis(20));
  }

  @Operation
  public void unsent() {
    budget.unsent(new Decision.Admit(1, 1, 1, false, 0, Duration.ZERO));
  }

  @Operation
  public int inFlight() {
    return budget.state().inFlight();
  }

  @Test
  void everyHistoryIsLinearizable() {
    new ModelCheckingOptions()
        .iterations(5)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .check(MemoryBudgetLincheckTest.class);
  }
}
