package io.penstock.push;

import static io.penstock.push.TransportFixture.DEADLINE;
import static io.penstock.push.TransportFixture.attempt;
import static io.penstock.push.TransportFixture.await;
import static io.penstock.push.TransportFixture.content;
import static io.penstock.push.TransportFixture.destination;
import static io.penstock.push.TransportFixture.loan;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Receivers that take their time, and what the deadline makes of it. */
class TimeOutTest {
  /** More than the socket buffers of both sides take. */
  private static final int LARGE = 32 * 1024 * 1024;

  private final TransportFixture fixture = new TransportFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Outcome transientFailure(String detail) {
    return new Outcome.Transient(0, detail, Hint.NONE);
  }

  /** Starts an attempt whose request is certainly written when the first future completes. */
  private CompletableFuture<AttemptResult> startWritten(String url) throws InterruptedException {
    CompletableFuture<Void> written = new CompletableFuture<>();
    CompletableFuture<AttemptResult> result =
        fixture.start(
            attempt(
                destination(url, List.of(), List.of()),
                content(List.of()),
                () -> loan(new byte[] {1}, () -> written.complete(null))));
    await(written);
    return result;
  }

  private static Attempt largeAttempt(String url) {
    return attempt(
        destination(url, List.of(), List.of()),
        content(List.of()),
        () -> loan(new byte[LARGE], () -> {}));
  }

  /** Returns once the thread is blocked below this method. */
  private static void untilWaitingIn(Thread thread, String method) {
    while (thread.getState() != Thread.State.WAITING
        || Stream.of(thread.getStackTrace()).noneMatch(f -> f.getMethodName().equals(method))) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReceiverThatIsSilentMayHaveIt() throws IOException, InterruptedException {
    try (TestingReceiver receiver = new TestingReceiver(with -> with.untilHungUp())) {
      var result = startWritten(receiver.url());
      fixture.timer.fire(DEADLINE);
      assertThat(await(result).outcome()).isEqualTo(new Outcome.Unknown(0, "timed_out"));
      await(receiver.hungUp());
    }
  }

  @Test
  void aHeadThatDripsIsCutOffAtTheDeadline() throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          with.write("HTTP/1.1 200 OK\r\nX-Slow: drip");
          with.untilHungUp();
        })) {
      CompletableFuture<AttemptResult> result = startWritten(receiver.url());
      fixture.timer.fire(DEADLINE);
      assertThat(await(result).outcome()).isEqualTo(new Outcome.Unknown(0, "timed_out"));
      await(receiver.hungUp());
    }
  }

  @Test
  void aBodyThatDripsIsCutOffAtTheDeadlineAndTheStatusCounts()
      throws IOException, InterruptedException {
    CompletableFuture<Thread> sender = new CompletableFuture<>();
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          with.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\ndrip");
          with.untilHungUp();
        })) {
      CompletableFuture<AttemptResult> result =
          fixture.start(
              attempt(
                  destination(receiver.url(), List.of(), List.of()),
                  content(List.of()),
                  () -> {
                    sender.complete(Thread.currentThread());
                    return loan(new byte[] {1}, () -> {});
                  }));
      untilWaitingIn(await(sender), "readBody");
      fixture.timer.fire(DEADLINE);
      AttemptResult ended = await(result);
      assertThat(ended.outcome()).isInstanceOf(Outcome.Delivered.class);
      assertThat(ended.responseHead()).asString().isEqualTo("drip");
      await(receiver.hungUp());
    }
  }

  @Test
  void aReceiverThatDoesNotReadHasNotGotIt() throws IOException, InterruptedException {
    CompletableFuture<Void> connected = new CompletableFuture<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.head();
          connected.complete(null);
          over.join();
        })) {
      var result = fixture.start(largeAttempt(receiver.url()));
      await(connected);
      fixture.timer.fire(DEADLINE);
      assertThat(await(result).outcome()).isEqualTo(transientFailure("timed_out_unsent"));
      over.complete(null);
    }
  }

  @Test
  void aFirstByteThatComesTooLateMayMeanThatItArrived() throws IOException, InterruptedException {
    try (TestingReceiver receiver = new TestingReceiver(with -> with.untilHungUp());
        TransportFixture impatient = TransportFixture.waitingForFirstByte(Duration.ofMillis(50))) {
      assertThat(impatient.send(receiver.url()).outcome())
          .isEqualTo(new Outcome.Unknown(0, "timed_out"));
    }
  }
}
