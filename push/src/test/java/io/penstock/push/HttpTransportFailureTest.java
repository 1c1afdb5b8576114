package io.penstock.push;

import static io.penstock.push.TransportFixture.DEADLINE;
import static io.penstock.push.TransportFixture.attempt;
import static io.penstock.push.TransportFixture.await;
import static io.penstock.push.TransportFixture.content;
import static io.penstock.push.TransportFixture.destination;
import static io.penstock.push.TransportFixture.loan;
import static io.penstock.push.TransportFixture.simple;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.push.TestingReceiver.Script;
import io.penstock.push.guard.EgressPolicy;
import io.penstock.push.outbound.OutboundClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers, names and ledgers that fail in every way we know, and what becomes of it. */
class HttpTransportFailureTest {
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

  private AttemptResult answered(String answer) throws IOException, InterruptedException {
    return against(with -> {
      with.request();
      with.write(answer);
    });
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

  private AttemptResult large(String url) throws InterruptedException {
    return fixture.send(largeAttempt(url));
  }

  private static Attempt largeAttempt(String url) {
    return attempt(
        destination(url, List.of(), List.of()),
        content(List.of()),
        () -> loan(new byte[LARGE], () -> {}));
  }

  // ---- time

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

  /** Returns once the thread is blocked below this method. */
  private static void untilWaitingIn(Thread thread, String method) {
    while (thread.getState() != Thread.State.WAITING
        || Stream.of(thread.getStackTrace()).noneMatch(f -> f.getMethodName().equals(method))) {
      Thread.onSpinWait();
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

  // ---- broken connections

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
    assertThat(answered("HTTP/1.1 20").outcome())
        .isEqualTo(new Outcome.Unknown(0, "answer_garbled"));
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

  // ---- odd answers

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "220 smtp.example ESMTP\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1\r\n\r\n",
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
        if (i != 1) {
          hungUp.acquire();
        }
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

  // ---- names and addresses

  @Test
  @DisplayName("case 35: the dialled address is the checked one, with no second look-up between")
  void case35_theNameIsLookedUpOnce() throws IOException, InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK);
        TransportFixture rebinding =
            new TransportFixture(
                EgressPolicy.of(List.of("127.0.0.1"), List.of()),
                _ ->
                    new InetAddress[] {
                      InetAddress.ofLiteral(
                          asked.incrementAndGet() == 1 ? "127.0.0.1" : "127.0.0.2")
                    })) {
      AttemptResult result = rebinding.send("http://rebind.example:" + receiver.port() + "/");
      assertThat(result.outcome()).isInstanceOf(Outcome.Delivered.class);
      assertThat(result.resolvedAddress()).isEqualTo("127.0.0.1");
      assertThat(asked).hasValue(1);
      assertThat(receiver.requests().getFirst().header("Host"))
          .isEqualTo("rebind.example:" + receiver.port());
    }
  }

  @Test
  @DisplayName(
      "case 36: one refused address among several refuses the host before anything is dialled")
  void case36_allAddressesMustPass() throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK);
        TransportFixture mixed =
            new TransportFixture(
                EgressPolicy.WITH_LOOPBACK,
                _ ->
                    new InetAddress[] {
                      InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("169.254.169.254")
                    })) {
      AttemptResult result = mixed.send("http://mixed.example:" + receiver.port() + "/");
      assertThat(result.outcome()).isEqualTo(new Outcome.Misconfigured(0, "address_refused"));
      assertThat(receiver.connections()).isZero();
    }
  }

  @ParameterizedTest
  @DisplayName("case 36: a reserved address in any spelling is not dialled")
  @ValueSource(strings = {"127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"})
  void case36_spellingsOfLoopbackAreNotDialled(String host)
      throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK);
        TransportFixture strict =
            new TransportFixture(EgressPolicy.STRICT, InetAddress::getAllByName)) {
      AttemptResult result = strict.send("http://" + host + ":" + receiver.port() + "/");
      assertThat(result.outcome()).isEqualTo(new Outcome.Misconfigured(0, "address_refused"));
      assertThat(receiver.connections()).isZero();
    }
  }

  @Test
  void aDeadFirstAddressLeavesTheSecond() throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK);
        TransportFixture two =
            new TransportFixture(
                EgressPolicy.WITH_LOOPBACK,
                _ ->
                    new InetAddress[] {
                      InetAddress.ofLiteral("127.0.0.9"), InetAddress.ofLiteral("127.0.0.1")
                    })) {
      AttemptResult result = two.send("http://two.example:" + receiver.port() + "/");
      assertThat(result.outcome()).isInstanceOf(Outcome.Delivered.class);
      assertThat(result.resolvedAddress()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void aNameThatDoesNotResolveIsTheReceiversTrouble() throws InterruptedException {
    try (TransportFixture lost =
        new TransportFixture(
            EgressPolicy.STRICT,
            host -> {
              throw new UnknownHostException(host);
            })) {
      assertThat(lost.send("http://gone.example/").outcome())
          .isEqualTo(transientFailure("dns_not_found"));
    }
  }

  @Test
  void unrelatedNamesThatFailAtOnceAreOurTrouble() throws InterruptedException {
    try (TransportFixture lost =
        new TransportFixture(
            EgressPolicy.STRICT,
            host -> {
              throw new UnknownHostException(host);
            })) {
      lost.send("http://a.one/");
      lost.send("http://a.two/");
      assertThat(lost.send("http://a.three/").outcome())
          .isEqualTo(new Outcome.Ours(0, "dns_node_trouble"));
    }
  }

  @Test
  void aHangingLookUpEndsAtTheDeadline() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (TransportFixture hanging =
        new TransportFixture(
            EgressPolicy.STRICT,
            host -> {
              asked.countDown();
              awaitQuietly(release);
              throw new UnknownHostException(host);
            })) {
      var result = hanging.start(simple("http://slow.example/"));
      asked.await();
      hanging.timer.fire(DEADLINE);
      assertThat(await(result).outcome()).isEqualTo(transientFailure("timed_out_unsent"));
      release.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---- our own side

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
