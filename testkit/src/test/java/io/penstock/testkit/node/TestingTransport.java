package io.penstock.testkit.node;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.engine.transport.Transport;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Takes attempts and lets the test answer them. */
final class TestingTransport implements Transport {
  static final Outcome OK = new Outcome.Delivered(200, "ok", Hint.NONE);

  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();

  record Sent(Attempt attempt, Completion completion) {
    String destinationId() {
      return attempt.destination().id();
    }

    void answer(Outcome outcome) {
      completion.ended(new AttemptResult(outcome, Duration.ofMillis(20), new byte[0], null));
    }
  }

  /** For transports whose threads come late: what is done before the departure is asked. */
  volatile Runnable beforeDeparture = () -> {};

  @Override
  public void start(Attempt attempt, Completion completion) {
    beforeDeparture.run();
    if (attempt.departure().mayGo()) {
      sent.add(new Sent(attempt, completion));
    }
  }

  /** The next attempt; fails when none comes within ten real seconds. */
  Sent next() {
    try {
      Sent next = sent.poll(10, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("no attempt was started within 10 s");
      }
      return next;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  boolean isIdle() {
    return sent.isEmpty();
  }
}
