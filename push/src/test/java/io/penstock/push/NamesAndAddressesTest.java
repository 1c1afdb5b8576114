package io.penstock.push;

import static io.penstock.push.TransportFixture.DEADLINE;
import static io.penstock.push.TransportFixture.await;
import static io.penstock.push.TransportFixture.simple;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.push.guard.EgressPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that fail, change or point where they may not. */
class NamesAndAddressesTest {
  private final TransportFixture fixture = new TransportFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Outcome transientFailure(String detail) {
    return new Outcome.Transient(0, detail, Hint.NONE);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

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
}
