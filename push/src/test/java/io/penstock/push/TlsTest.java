package io.penstock.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.transport.AttemptResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** A receiver with a certificate of its own making, for the name receiver.test. */
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private static SSLContext selfSigned() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in =
        Objects.requireNonNull(TlsTest.class.getResourceAsStream("receiver.p12"))) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static TestingReceiver secure() throws GeneralSecurityException, IOException {
    return new TestingReceiver(
        with -> {
          while (with.request() != null) {
            with.write(TestingReceiver.OK);
          }
        },
        selfSigned().getServerSocketFactory().createServerSocket(),
        "127.0.0.1");
  }

  private static InetAddress[] here(String host) {
    return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
  }

  private static TransportFixture trusting() throws GeneralSecurityException, IOException {
    return TransportFixture.trusting(selfSigned(), TlsTest::here);
  }

  @Test
  void aTrustedCertificateForTheNameDelivers()
      throws GeneralSecurityException, IOException, InterruptedException {
    try (TestingReceiver receiver = secure();
        TransportFixture fixture = trusting()) {
      for (int i = 0; i < 2; i++) {
        AttemptResult result = fixture.send("https://receiver.test:" + receiver.port() + "/");
        assertThat(result.outcome()).isInstanceOf(Outcome.Delivered.class);
        assertThat(result.resolvedAddress()).isEqualTo("127.0.0.1");
      }
      assertThat(receiver.connections()).isEqualTo(1);
    }
  }

  @Test
  void aSelfSignedCertificateIsNotTrusted()
      throws GeneralSecurityException, IOException, InterruptedException {
    try (TestingReceiver receiver = secure();
        TransportFixture fixture =
            TransportFixture.trusting(SSLContext.getDefault(), TlsTest::here)) {
      assertThat(fixture.send("https://receiver.test:" + receiver.port() + "/").outcome())
          .isEqualTo(new Outcome.Transient(0, "tls_untrusted", Hint.NONE));
      assertThat(receiver.requests()).isEmpty();
    }
  }

  @Test
  void aCertificateForAnotherNameIsNotTrusted()
      throws GeneralSecurityException, IOException, InterruptedException {
    try (TestingReceiver receiver = secure();
        TransportFixture fixture = trusting()) {
      assertThat(fixture.send("https://other.test:" + receiver.port() + "/").outcome())
          .isEqualTo(new Outcome.Transient(0, "tls_untrusted", Hint.NONE));
      assertThat(receiver.requests()).isEmpty();
    }
  }

  @Test
  void aReceiverWithoutTlsFails()
      throws GeneralSecurityException, IOException, InterruptedException {
    try (TestingReceiver plain =
            new TestingReceiver(with -> with.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
        TransportFixture fixture = trusting()) {
      assertThat(fixture.send("https://receiver.test:" + plain.port() + "/").outcome())
          .isEqualTo(new Outcome.Transient(0, "tls_failed", Hint.NONE));
    }
  }

  @Test
  void aHandshakeThatHangsEndsAtTheDeadline()
      throws GeneralSecurityException, IOException, InterruptedException {
    CompletableFuture<Void> greeted = new CompletableFuture<>();
    try (TestingReceiver silent =
            new TestingReceiver(with -> {
              with.untilByte();
              greeted.complete(null);
              with.untilHungUp();
            });
        TransportFixture fixture = trusting()) {
      CompletableFuture<AttemptResult> result =
          fixture.start(TransportFixture.simple("https://receiver.test:" + silent.port() + "/"));
      TransportFixture.await(greeted);
      fixture.timer.fire(TransportFixture.DEADLINE);
      assertThat(TransportFixture.await(result).outcome())
          .isEqualTo(new Outcome.Transient(0, "timed_out_unsent", Hint.NONE));
    }
  }
}
