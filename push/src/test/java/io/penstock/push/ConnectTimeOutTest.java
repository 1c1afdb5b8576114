package io.penstock.push;

import static io.penstock.push.TransportFixture.attempt;
import static io.penstock.push.TransportFixture.await;
import static io.penstock.push.TransportFixture.content;
import static io.penstock.push.TransportFixture.destination;
import static io.penstock.push.TransportFixture.loan;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.transport.AttemptResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Receivers that do not let anybody in, over real sockets; nothing has arrived there for sure. */
class ConnectTimeOutTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  /** Longer than any test may take. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static Outcome transientFailure(String detail) {
    return new Outcome.Transient(0, detail, Hint.NONE);
  }

  private static InetAddress[] here(String host) {
    return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
  }

  /** First an address that nobody answers at, then one that is well. */
  private static InetAddress[] deadAndAlive(String host) {
    return new InetAddress[] {
      InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("127.0.0.2")
    };
  }

  /** Returns once the thread is somewhere below this method. */
  private static void untilIn(Thread thread, String method) {
    while (Stream.of(thread.getStackTrace()).noneMatch(f -> f.getMethodName().equals(method))) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anAddressThatDoesNotAnswerIsGivenUpAfterItsTime() throws IOException, InterruptedException {
    try (FullListener full = new FullListener();
        TransportFixture fixture =
            TransportFixture.connectingWithin(SHORT, ConnectTimeOutTest::here)) {
      AttemptResult result = fixture.send("http://receiver.test:" + full.port() + "/");
      assertThat(result.outcome()).isEqualTo(transientFailure("connect_timed_out"));
      assertThat(result.resolvedAddress()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void theDeadlineEndsAConnectThatHasMoreTimeThanTheAttempt()
      throws IOException, InterruptedException {
    try (FullListener full = new FullListener();
        TransportFixture fixture =
            TransportFixture.connectingWithin(LONG, ConnectTimeOutTest::here)) {
      CompletableFuture<Thread> sender = new CompletableFuture<>();
      CompletableFuture<AttemptResult> result =
          fixture.start(
              attempt(
                  destination("http://receiver.test:" + full.port() + "/", List.of(), List.of()),
                  content(List.of()),
                  () -> {
                    sender.complete(Thread.currentThread());
                    return loan(new byte[] {1}, () -> {});
                  }));
      untilIn(await(sender), "dial");
      fixture.timer.fire(TransportFixture.DEADLINE);
      assertThat(await(result).outcome()).isEqualTo(transientFailure("timed_out_unsent"));
    }
  }

  @Test
  void aDeadFirstAddressLeavesTimeForTheSecond() throws IOException, InterruptedException {
    try (FullListener full = new FullListener();
        ServerSocket second =
            new ServerSocket(full.port(), 50, InetAddress.ofLiteral("127.0.0.2"));
        TransportFixture fixture =
            TransportFixture.connectingWithin(SHORT, ConnectTimeOutTest::deadAndAlive)) {
      CompletableFuture<AttemptResult> result =
          fixture.start(TransportFixture.simple("http://receiver.test:" + full.port() + "/"));
      try (var connection = second.accept()) {
        connection.getOutputStream().write(TestingReceiver.OK.getBytes(US_ASCII));
        AttemptResult delivered = await(result);
        assertThat(delivered.outcome()).isInstanceOf(Outcome.Delivered.class);
        assertThat(delivered.resolvedAddress()).isEqualTo("127.0.0.2");
      }
    }
  }

  @Test
  void aHandshakeThatIsNeverAnsweredIsGivenUpAfterItsTime()
      throws IOException, InterruptedException {
    try (TestingReceiver silent = new TestingReceiver(with -> with.untilHungUp());
        TransportFixture fixture =
            TransportFixture.connectingWithin(SHORT, ConnectTimeOutTest::here)) {
      AttemptResult result = fixture.send("https://receiver.test:" + silent.port() + "/");
      assertThat(result.outcome()).isEqualTo(transientFailure("tls_failed"));
      assertThat(result.resolvedAddress()).isEqualTo("127.0.0.1");
      await(silent.hungUp());
      assertThat(silent.connections()).isOne();
    }
  }
}
