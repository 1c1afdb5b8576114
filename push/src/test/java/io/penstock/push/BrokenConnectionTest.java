package io.penstock.push;

import static io.penstock.push.TransportFixture.attempt;
import static io.penstock.push.TransportFixture.content;
import static io.penstock.push.TransportFixture.destination;
import static io.penstock.push.TransportFixture.loan;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.push.TestingReceiver.Script;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that end where they should not; what decides is whether the request had left. */
class BrokenConnectionTest {
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

  private AttemptResult against(Script script) throws IOException, InterruptedException {
    try (TestingReceiver receiver = new TestingReceiver(script)) {
      return fixture.send(receiver.url());
    }
  }

  private AttemptResult large(String url) throws InterruptedException {
    return fixture.send(
        attempt(
            destination(url, List.of(), List.of()),
            content(List.of()),
            () -> loan(new byte[LARGE], () -> {})));
  }

  @Test
  void nobodyListens() throws IOException, InterruptedException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    AttemptResult result = fixture.send("http://127.0.0.1:" + port + "/");
    assertThat(result.outcome()).isEqualTo(transientFailure("connect_refused"));
    assertThat(result.resolvedAddress()).isEqualTo("127.0.0.1");
  }

  @Test
  void aResetAfterTheRequestMayMeanThatItArrived() throws IOException, InterruptedException {
    assertThat(
            against(
                    with -> {
                      with.request();
                      with.reset();
                    })
                .outcome())
        .isEqualTo(new Outcome.Unknown(0, "reset"));
  }

  @Test
  void aCloseWithoutAnAnswerMayMeanThatItArrived() throws IOException, InterruptedException {
    assertThat(against(with -> with.request()).outcome())
        .isEqualTo(new Outcome.Unknown(0, "closed_without_answer"));
  }

  @Test
  void aResetWhileTheRequestIsWrittenMeansThatItDidNotArrive()
      throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.head();
          with.reset();
        })) {
      assertThat(large(receiver.url()).outcome())
          .isEqualTo(transientFailure("broken_while_sending"));
    }
  }

  @Test
  void anAnswerBeforeTheRequestIsReadCounts() throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.head();
          with.write("HTTP/1.1 413 Too large\r\nContent-Length: 3\r\n\r\nbig");
        })) {
      AttemptResult result = large(receiver.url());
      assertThat(result.outcome()).isEqualTo(new Outcome.Rejected(413, "http_413"));
      fixture.send(receiver.url());
      assertThat(receiver.connections()).as("a connection of its own").isEqualTo(2);
    }
  }
}
