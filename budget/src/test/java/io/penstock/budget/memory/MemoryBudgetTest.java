package io.penstock.budget.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Decision;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
  private static final Outcome OK = new Outcome.Delivered(200, "ok", Hint.NONE);
  private static final Duration TRIP = Duration.ofMillis(20);

  private final TestClock clock = new TestClock();
  private final BudgetSettings settings = new BudgetSettings(100, 100, 10, Duration.ofSeconds(15));
  private final MemoryBudget budget = new MemoryBudget(settings, clock, 1);

  @Test
  void whatIsTakenIsWhatWasAskedForAtMost() {
    clock.advance(Duration.ofSeconds(1));
    assertThat(budget.take(3)).extracting("most").isEqualTo(3);
    assertThat(budget.take(100)).extracting("most").isEqualTo(7);
    assertThat(budget.take(1)).isInstanceOf(Decision.Wait.class);
    assertThat(budget.state().inFlight()).isEqualTo(10);
    assertThatIllegalArgumentException().isThrownBy(() -> budget.take(0));
  }

  @Test
  void whatWasNotSentComesBack() {
    Decision.Admit all = (Decision.Admit) budget.take(100);
    assertThat(all.most()).isEqualTo(5);
    assertThat(budget.take(1)).isInstanceOf(Decision.Wait.class);
    budget.unsent(all);
    assertThat(budget.take(100)).extracting("most").isEqualTo(1);
  }

  @Test
  void anyNumberOfThreadsTakeNoMoreThanThereIs() throws Exception {
    clock.advance(Duration.ofSeconds(10));
    MemoryBudget wide = new MemoryBudget(settings.withSlots(10_000), clock, 1);
    clock.advance(Duration.ofSeconds(10));
    AtomicInteger taken = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 300; i++) {
        threads.execute(() -> {
          await(go);
          if (wide.take(1) instanceof Decision.Admit) {
            taken.incrementAndGet();
          }
        });
      }
      go.countDown();
    }
    assertThat(taken).hasValue(100);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoWaitsForATurnIsWokenByTheAnswerThatFreesASlot()
      throws InterruptedException, ExecutionException, TimeoutException {
    clock.advance(Duration.ofSeconds(1));
    Decision.Admit all = (Decision.Admit) budget.take(10);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Decision.Admit> turn = threads.submit(budget::takeOne);
      for (int i = 0; i < all.most(); i++) {
        budget.ended(all, OK, TRIP);
      }
      assertThat(turn.get(10, TimeUnit.SECONDS).most()).isEqualTo(1);
    }
  }

  @Test
  void settingsChangeAtOnceAndAClosedBudgetIsReopenedByHand() {
    clock.advance(Duration.ofSeconds(1));
    Decision.Admit one = (Decision.Admit) budget.take(1);
    budget.ended(one, new Outcome.Gone(410, "gone"), TRIP);
    assertThat(budget.take(1)).isInstanceOf(Decision.Refuse.class);
    budget.reopen();
    budget.change(settings.withRate(1_000, 1_000));
    clock.advance(Duration.ofMillis(5));
    assertThat(budget.take(100)).extracting("most").isEqualTo(5);
    MemoryBudget restarted = new MemoryBudget(settings, clock, budget.state());
    assertThat(restarted.take(1)).as("a restart refills nothing").isInstanceOf(Decision.Wait.class);
  }
}
