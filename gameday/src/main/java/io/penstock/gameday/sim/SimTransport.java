package io.penstock.gameday.sim;

import io.penstock.budget.Outcome;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.engine.transport.Transport;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** The network of one node: requests and answers take their time, and neither is ever lost. */
final class SimTransport implements Transport {
  private static final long MOST_LATENCY_NANOS = 2_000_000;

  private final Baton baton;
  private final Baton.Host process;
  private final Map<String, Behaviour.Receiver> receivers;
  private final Auditor auditor;
  private final RandomGenerator random;

  SimTransport(
      Baton baton,
      Baton.Host process,
      Map<String, Behaviour.Receiver> receivers,
      Auditor auditor,
      RandomGenerator random) {
    this.baton = baton;
    this.process = process;
    this.receivers = receivers;
    this.auditor = auditor;
    this.random = random;
  }

  @Override
  public void start(Attempt attempt, Completion completion) {
    if (!attempt.departure().mayGo()) {
      return;
    }
    auditor.sent(process.name, attempt.delivery());
    if (attempt.delivery().content().body() == null) {
      baton.start(process, process.name + "/body", () -> borrow(attempt, completion));
    } else {
      send(attempt, completion);
    }
  }

  /** Large bodies are read at send time, which may block and fail. */
  private void borrow(Attempt attempt, Completion completion) {
    try (Attempt.Loan loan = attempt.body().borrow()) {
      Objects.requireNonNull(loan.bytes());
    } catch (LedgerException failure) {
      end(attempt, completion, new Outcome.Ours(0, "database"), 0);
      return;
    }
    send(attempt, completion);
  }

  private void send(Attempt attempt, Completion completion) {
    long began = baton.now();
    baton.at(
        began + random.nextLong(MOST_LATENCY_NANOS),
        null,
        () -> arrive(attempt, completion, began));
  }

  private void arrive(Attempt attempt, Completion completion, long began) {
    String id = attempt.delivery().key().destinationId();
    Behaviour.Receiver receiver = Objects.requireNonNull(receivers.get(id));
    Behaviour.Answer answer = receiver.answer(baton.now());
    auditor.arrived(attempt.delivery(), answer.outcome());
    long back = baton.now() + answer.after().toNanos() + random.nextLong(MOST_LATENCY_NANOS);
    long deadline = began + attempt.deadline().toNanos();
    if (back > deadline) {
      Outcome timedOut = new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT);
      baton.at(deadline, process, () -> end(attempt, completion, timedOut, deadline - began));
    } else {
      baton.at(back, process, () -> end(attempt, completion, answer.outcome(), back - began));
    }
  }

  private void end(Attempt attempt, Completion completion, Outcome outcome, long tookNanos) {
    if (process.dead) {
      return;
    }
    auditor.completed(attempt.delivery(), outcome);
    completion.ended(
        new AttemptResult(outcome, Duration.ofNanos(tookNanos), new byte[0], "192.0.2.1"));
  }
}
