package io.penstock.budget.readme;

import io.penstock.budget.Decision;
import io.penstock.budget.Outcome;
import io.penstock.budget.memory.MemoryBudget;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;

/** In front of a {@link BlockingQueue}. */
final class QueueSample {
  private final InstantSource clock;

  QueueSample(InstantSource clock) {
    this.clock = clock;
  }

  // sample: queue
  /** Sends what is queued, as fast as the receiver takes it; one thread or many may run this. */
  void drain(BlockingQueue<String> queue, MemoryBudget budget, Function<String, Outcome> send)
      throws InterruptedException {
    String message;
    while ((message = queue.poll()) != null) {
      Decision.Admit turn = budget.takeOne();
      Instant began = clock.instant();
      Outcome outcome = send.apply(message);
      budget.ended(turn, outcome, Duration.between(began, clock.instant()));
      if (outcome instanceof Outcome.Throttled) {
        queue.put(message); // a 429 spends no attempt: it goes again when the budget says so
      }
    }
  }
  // end
}
