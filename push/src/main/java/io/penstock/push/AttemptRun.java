package io.penstock.push;

import io.penstock.budget.Hints;
import io.penstock.budget.Outcome;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.engine.transport.Transport;
import io.penstock.push.guard.Target;
import io.penstock.push.guard.Verdict;
import io.penstock.push.outbound.Call;
import io.penstock.push.outbound.CallResult;
import io.penstock.push.outbound.Failure;
import io.penstock.push.outbound.OutboundClient;
import io.penstock.push.outbound.RequestBody;
import io.penstock.push.signing.Keyring;
import io.penstock.push.signing.SigningKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt, from the check of its URL to its outcome. Ends exactly once. */
final class AttemptRun implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpTransport.class);

  /** A secret that is not at hand has to come within this. */
  private static final Duration SECRET_PATIENCE = Duration.ofSeconds(3);

  private static final byte[] NOTHING = {};

  private final Attempt attempt;
  private final Transport.Completion completion;
  private final OutboundClient client;
  private final Keyring keyring;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanos;
  private final long startedAt;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.PREPARING);

  /** How far the attempt has come; only ever forward, so that nothing goes out after its end. */
  private enum Stage {
    PREPARING,
    CALLING,
    ENDED
  }

  AttemptRun(
      Attempt attempt,
      Transport.Completion completion,
      OutboundClient client,
      Keyring keyring,
      ScheduledExecutorService timer,
      LongSupplier nanos) {
    this.attempt = attempt;
    this.completion = completion;
    this.client = client;
    this.keyring = keyring;
    this.timer = timer;
    this.nanos = nanos;
    this.startedAt = nanos.getAsLong();
  }

  @Override
  public void run() {
    if (!attempt.departure().mayGo()) {
      return;
    }
    Thread thread = Thread.currentThread();
    Duration latest = attempt.deadline().plus(HttpTransport.GRACE);
    Future<?> watchdog =
        timer.schedule(() -> abandon(thread), latest.toNanos(), TimeUnit.NANOSECONDS);
    try {
      send();
    } catch (InterruptedException _) {
      endUnanswered(new Outcome.Ours(0, "interrupted"));
    } catch (LedgerException e) {
      LOG.warn("{}: the body is not to be had: {}", attempt.delivery().key(), e.getMessage());
      endUnanswered(new Outcome.Ours(0, "ledger"));
    } catch (RuntimeException | Error e) {
      LOG.error("{}: the attempt ended in a bug", attempt.delivery().key(), e);
      // Once it was called it may have arrived, and must not go again without being counted.
      endUnanswered(
          stage.get() == Stage.PREPARING
              ? Failure.INTERNAL.outcome()
              : new Outcome.Unknown(0, "internal"));
    } finally {
      watchdog.cancel(false);
    }
  }

  /** The node stops: nothing is sent. */
  void refused() {
    endUnanswered(new Outcome.Ours(0, "stopping"));
  }

  /**
   * The last resort, for waits that no interrupt ends (a ledger that does not give the body): the
   * engine must hear of the attempt before its lease runs out.
   */
  private void abandon(Thread thread) {
    if (stage.compareAndSet(Stage.PREPARING, Stage.ENDED)) {
      complete(new Outcome.Ours(0, "body_timed_out"), NOTHING, null);
    } else {
      endUnanswered(new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT));
    }
    thread.interrupt();
  }

  private void send() throws InterruptedException {
    Destination destination = attempt.destination();
    switch (client.check(destination.url())) {
      case Verdict.Refused(Verdict.Rule rule, String message) ->
          misconfigured(rule.word(), message);
      case Verdict.Allowed(Target target) -> {
        Optional<String> refusedHere = HeaderRules.refusal(destination.headers());
        if (refusedHere.isPresent()) {
          misconfigured("forbidden_header", refusedHere.get());
        } else if (RequestHeaders.refusal(attempt.delivery().content()).isPresent()) {
          endUnanswered(new Outcome.Unsendable(0, "forbidden_header"));
        } else {
          sign(target);
        }
      }
    }
  }

  private void sign(Target target) throws InterruptedException {
    switch (keyring.resolve(attempt.destination().secrets(), SECRET_PATIENCE)) {
      case Keyring.Keys.Missing(String why) -> misconfigured("secret_missing", why);
      case Keyring.Keys.Silent(String why) ->
          misconfigured(Outcome.Misconfigured.SECRET_STORE_SILENT, why);
      case Keyring.Keys.Ready(List<SigningKey> keys) -> call(target, keys);
    }
  }

  private void call(Target target, List<SigningKey> keys) {
    RequestBody body = RequestBody.lent(attempt.body().borrow());
    CallResult result;
    try {
      Duration left = attempt.deadline().minus(took());
      if (!left.isPositive()) {
        endUnanswered(new Outcome.Ours(0, "body_timed_out"));
        return;
      }
      if (!stage.compareAndSet(Stage.PREPARING, Stage.CALLING)) {
        return; // given up meanwhile
      }
      result =
          client.call(
              new Call("POST", target, RequestHeaders.of(attempt, keys, body.bytes()), body, left));
    } finally {
      body.release();
    }
    switch (result) {
      case CallResult.Answered answered -> answered(answered);
      case CallResult.Failed(Failure failure, String message, String address) -> {
        Outcome outcome = failure.outcome();
        if (outcome instanceof Outcome.Misconfigured) {
          LOG.warn("destination {}: {}", attempt.destination().id(), message);
        } else {
          LOG.debug("destination {}: {}", attempt.destination().id(), message);
        }
        end(outcome, NOTHING, address);
      }
    }
  }

  private void answered(CallResult.Answered answer) {
    Outcome outcome =
        StatusTable.outcome(
            answer.status(),
            Hints.parse(answer.status(), answer::header, attempt.sentAt().plus(took())),
            attempt.outcomes());
    end(outcome, answer.head(), answer.address());
  }

  private void misconfigured(String detail, String message) {
    LOG.warn("destination {}: {}", attempt.destination().id(), message);
    endUnanswered(new Outcome.Misconfigured(0, detail));
  }

  private void endUnanswered(Outcome outcome) {
    end(outcome, NOTHING, null);
  }

  private void end(Outcome outcome, byte[] head, @Nullable String address) {
    if (stage.getAndSet(Stage.ENDED) != Stage.ENDED) {
      complete(outcome, head, address);
    }
  }

  private void complete(Outcome outcome, byte[] head, @Nullable String address) {
    try {
      completion.ended(new AttemptResult(outcome, took(), head, address));
    } catch (RuntimeException e) {
      LOG.error("{}: the outcome was not taken", attempt.delivery().key(), e);
    }
  }

  private Duration took() {
    return Duration.ofNanos(nanos.getAsLong() - startedAt);
  }
}
