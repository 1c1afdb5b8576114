package io.penstock.budget.readme;

import io.penstock.budget.Decision;
import io.penstock.budget.Outcome;
import io.penstock.budget.memory.MemoryBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** In front of a queue that is polled and hides what it hands out, as cloud queues do. */
final class PollSample {

  /** Such a queue. */
  interface CloudQueue {
    List<String> receive(int most);

    void delete(String message);
  }

  /** Sends one message and says what became of it. */
  interface Transport {
    Outcome send(String message);
  }

  private static final int BATCH = 10;
  private static final Duration IDLE = Duration.ofSeconds(1);

  // sample: poll
  /**
   * One turn of a poll loop: never receives a message that it may not send now, so nothing sits
   * hidden and no receive count rises while the receiver wants to be left alone.
   *
   * @return when to poll again
   */
  Instant poll(CloudQueue queue, MemoryBudget budget, Transport transport, Instant now) {
    return switch (budget.take(BATCH)) {
      case Decision.Admit turn -> {
        List<String> messages = queue.receive(turn.most());
        for (String message : messages) {
          Outcome outcome = transport.send(message);
          budget.ended(turn, outcome, Duration.ofMillis(40));
          if (outcome instanceof Outcome.Delivered) {
            queue.delete(message);
          }
        }
        for (int i = messages.size(); i < turn.most(); i++) {
          budget.unsent(turn); // the queue had fewer: their tokens come back
        }
        yield messages.isEmpty() ? now.plus(IDLE) : now;
      }
      case Decision.Wait wait -> wait.until();
      case Decision.Refuse _ -> now.plus(IDLE);
    };
  }
  // end
}
