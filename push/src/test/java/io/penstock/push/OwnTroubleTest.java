package io.penstock.push;

import static io.penstock.push.TransportFixture.DEADLINE;
import static io.penstock.push.TransportFixture.attempt;
import static io.penstock.push.TransportFixture.await;
import static io.penstock.push.TransportFixture.content;
import static io.penstock.push.TransportFixture.destination;
import static io.penstock.push.TransportFixture.loan;
import static io.penstock.push.TransportFixture.simple;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Outcome;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of the node itself, which no destination has to answer for. */
class OwnTroubleTest {
  private final TransportFixture fixture = new TransportFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aLedgerThatDoesNotGiveTheBodyIsOurTrouble() throws InterruptedException {
    AttemptResult result =
        fixture.send(
            attempt(
                destination("http://127.0.0.1:1024/", List.of(), List.of()),
                content(List.of()),
                () -> {
                  throw new LedgerException("down");
                }));
    assertThat(result.outcome()).isEqualTo(new Outcome.Ours(0, "ledger"));
  }

  @Test
  void aLedgerThatHangsIsGivenUpAndTheLateBodyGivenBack() throws IOException, InterruptedException {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<Attempt.Loan> late = new CompletableFuture<>();
    CompletableFuture<Void> returned = new CompletableFuture<>();
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      var result =
          fixture.start(
              attempt(
                  destination(receiver.url(), List.of(), List.of()),
                  content(List.of()),
                  () -> {
                    asked.complete(null);
                    return late.join(); // no interrupt ends this
                  }));
      await(asked);
      fixture.timer.fire(DEADLINE.plus(HttpTransport.GRACE));
      assertThat(await(result).outcome()).isEqualTo(new Outcome.Ours(0, "body_timed_out"));
      late.complete(loan(new byte[0], () -> returned.complete(null)));
      await(returned);
      assertThat(receiver.connections()).as("what was given up is not sent").isZero();
    }
  }

  @Test
  void aStoppedNodeSendsNothing() throws InterruptedException {
    fixture.threads.shutdown();
    assertThat(fixture.send("http://127.0.0.1:1024/").outcome())
        .isEqualTo(new Outcome.Ours(0, "stopping"));
  }

  @Test
  void whatMayNotGoAnyMoreWhenItsThreadComesIsNeitherSentNorEnded()
      throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      Attempt usual = simple(receiver.url());
      CompletableFuture<Void> asked = new CompletableFuture<>();
      CompletableFuture<AttemptResult> result =
          fixture.start(
              new Attempt(
                  usual.delivery(),
                  usual.destination(),
                  usual.sentAt(),
                  usual.body(),
                  usual.deadline(),
                  usual.outcomes(),
                  () -> {
                    asked.complete(null);
                    return false;
                  }));
      await(asked);
      fixture.threads.close(); // waits for what runs
      assertThat(receiver.connections()).isZero();
      assertThat(result).isNotDone();
    }
  }

  @Test
  void aBugInTheBodyEndsTheAttemptAllTheSame() throws InterruptedException {
    AttemptResult result =
        fixture.send(
            attempt(
                destination("http://127.0.0.1:1024/", List.of(), List.of()),
                content(List.of()),
                () -> {
                  throw new IllegalArgumentException("bug");
                }));
    assertThat(result.outcome()).isEqualTo(new Outcome.Ours(0, "internal"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:22/", "ftp://example.com/", "", "http://a@b.example/"})
  void aUrlThatTheGuardRefusesHoldsTheDestination(String url) throws InterruptedException {
    assertThat(fixture.send(url).outcome()).isInstanceOf(Outcome.Misconfigured.class);
  }
}
