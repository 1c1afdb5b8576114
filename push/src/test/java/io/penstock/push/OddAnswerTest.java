package io.penstock.push;

import static io.penstock.push.TransportFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.push.TestingReceiver.Script;
import io.penstock.push.outbound.OutboundClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are strange, endless or none. */
class OddAnswerTest {
  private final TransportFixture fixture = new TransportFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private AttemptResult against(Script script) throws IOException, InterruptedException {
    try (TestingReceiver receiver = new TestingReceiver(script)) {
      return fixture.send(receiver.url());
    }
  }

  private AttemptResult answered(String answer) throws IOException, InterruptedException {
    return against(with -> {
      with.request();
      with.write(answer);
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "220 smtp.example ESMTP\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 20",
        "HTTP/1.1 99 Too low\r\n\r\n",
        "HTTP/3.0 200 OK\r\n\r\n",
        "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: strange\r\n\r\n",
        "HTTP/1.1 700 What\r\nContent-Length: 0\r\n\r\n"
      })
  void whatIsNotHttpIsNoAnswer(String answer) throws IOException, InterruptedException {
    assertThat(answered(answer).outcome()).isEqualTo(new Outcome.Unknown(0, "answer_garbled"));
  }

  @Test
  void aLineWithoutEndIsNoAnswer() throws IOException, InterruptedException {
    assertThat(answered("x".repeat(100_000)).outcome())
        .isEqualTo(new Outcome.Unknown(0, "answer_garbled"));
  }

  @Test
  void randomBytesNeverDeliverAndNeverHang() throws IOException, InterruptedException {
    long seed = 20261130;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = new byte[random.nextInt(1, 400)];
      random.nextBytes(bytes);
      AttemptResult result =
          against(with -> {
            with.request();
            with.write(bytes);
          });
      assertThat(result.outcome())
          .as("seed %d, round %d", seed, i)
          .isInstanceOf(Outcome.Unknown.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.0 200 OK\r\n\r\nuntil the end",
        "HTTP/1.0 200\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nbroken",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
      })
  void anOddAnswerWithASuccessIsASuccess(String answer) throws IOException, InterruptedException {
    assertThat(answered(answer).outcome()).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void anAnswerThatHasNoBodyEndsWithItsHeadAndKeepsTheConnection()
      throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering("HTTP/1.1 204 No Content\r\n\r\n")) {
      for (int i = 0; i < 3; i++) {
        AttemptResult result = fixture.send(receiver.url());
        assertThat(result.outcome()).isInstanceOf(Outcome.Delivered.class);
      }
      assertThat(receiver.connections()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionThatTheReceiverClosesIsNotUsedAgain() throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          with.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        })) {
      for (int i = 0; i < 3; i++) {
        assertThat(fixture.send(receiver.url()).outcome()).isInstanceOf(Outcome.Delivered.class);
      }
      assertThat(receiver.connections()).isEqualTo(3);
    }
  }

  @Test
  void aReceiverThatHangsUpWithoutSayingSoIsLookedAtFromThenOn()
      throws IOException, InterruptedException {
    Semaphore hungUp = new Semaphore(0);
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          with.write(TestingReceiver.OK);
          with.close();
          hungUp.release();
        })) {
      List<String> outcomes = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        outcomes.add(fixture.send(receiver.url()).outcome().getClass().getSimpleName());
        boolean served = i == 1 || hungUp.tryAcquire(10, TimeUnit.SECONDS);
        assertThat(served).as("attempt %d reached the receiver", i).isTrue();
      }
      assertThat(outcomes)
          .containsExactly(
              "Delivered", "Unknown", "Delivered", "Delivered", "Delivered", "Delivered");
    }
  }

  @Test
  void aLongAnswerIsKeptToItsBoundAndTheConnectionUsedAgain()
      throws IOException, InterruptedException {
    String body = "y".repeat(20_000);
    try (TestingReceiver receiver =
        TestingReceiver.answering(
            "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s".formatted(body.length(), body))) {
      assertThat(fixture.send(receiver.url()).responseHead())
          .hasSize(OutboundClient.HEAD_BYTES)
          .containsOnly('y');
      fixture.send(receiver.url());
      assertThat(receiver.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 500 No\r\nContent-Length: 100000000000\r\n\r\n"
      })
  void anEndlessAnswerIsBrokenOff(String head) throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          with.write(head);
          byte[] piece = new byte[1024];
          while (true) {
            with.write(piece);
          }
        })) {
      AttemptResult result = fixture.send(receiver.url());
      assertThat(result.outcome().status()).isEqualTo(head.contains("200") ? 200 : 500);
      assertThat(result.responseHead()).hasSize(OutboundClient.HEAD_BYTES);
      await(receiver.hungUp());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Many: abc\r\n", "x"})
  void headersWithoutEndAreBrokenOffAndTheStatusCounts(String piece)
      throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          with.write("HTTP/1.1 200 OK\r\nX-Long: ");
          while (true) {
            with.write(piece);
          }
        })) {
      assertThat(fixture.send(receiver.url()).outcome())
          .isEqualTo(new Outcome.Delivered(200, "http_200", Hint.NONE));
      await(receiver.hungUp());
    }
  }
}
