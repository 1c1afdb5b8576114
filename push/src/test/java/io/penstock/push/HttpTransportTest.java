package io.penstock.push;

import static io.penstock.push.TransportFixture.attempt;
import static io.penstock.push.TransportFixture.await;
import static io.penstock.push.TransportFixture.body;
import static io.penstock.push.TransportFixture.content;
import static io.penstock.push.TransportFixture.destination;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.event.EventContent;
import io.penstock.engine.event.Header;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.push.TestingReceiver.Request;
import io.penstock.push.signing.Signatures;
import io.penstock.push.signing.SigningKey;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver gets, and what its answers become. */
class HttpTransportTest {
  private static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String NEW_KEY = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

  private final TransportFixture fixture = new TransportFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theRequestHoldsExactlyWhatItShould() throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      fixture.environment.put("KEY", KEY);
      AttemptResult result =
          fixture.send(
              attempt(
                  destination(
                      receiver.url() + "?a=b%20c",
                      List.of(new Header("AUTHORIZATION", "Bearer x")),
                      List.of("env:KEY")),
                  new EventContent(
                      "order.paid",
                      "application/JSON; Charset=\"utf-8\"",
                      List.of(new Header("x-oDD-cAsE", "  kept ")),
                      "key-1",
                      TransportFixture.SENT_AT,
                      null),
                  body("{\"b\":1,\"a\":2}".getBytes(StandardCharsets.UTF_8))));
      assertThat(result.outcome()).isEqualTo(new Outcome.Delivered(200, "http_200", Hint.NONE));
      assertThat(result.resolvedAddress()).isEqualTo("127.0.0.1");
      assertThat(result.responseHead()).asString().isEqualTo("ok");
      assertThat(result.took()).isPositive();
      Request request = receiver.requests().getFirst();
      assertThat(request.head())
          .containsExactlyInAnyOrder(
              "POST /hook?a=b%20c HTTP/1.1",
              "Host: 127.0.0.1:" + receiver.port(),
              "Connection: keep-alive",
              "User-Agent: Penstock/1.2.3",
              "Content-Length: 13",
              "Content-Type: application/JSON; Charset=\"utf-8\"",
              "AUTHORIZATION: Bearer x",
              "x-oDD-cAsE:   kept ",
              "Idempotency-Key: key-1",
              "webhook-id: " + TransportFixture.EVENT,
              "webhook-timestamp: 1796040000",
              "webhook-signature: " + request.header("webhook-signature"));
    }
  }

  @Test
  @DisplayName("case 33: the bytes that were accepted are the bytes that are signed and sent")
  void case33_rawBytesAreSignedAndSent() throws IOException, InterruptedException {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    fixture.environment.put("KEY", KEY);
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      fixture.send(
          attempt(
              destination(receiver.url(), List.of(), List.of("env:KEY")),
              content(List.of()),
              body(bytes)));
      Request request = receiver.requests().getFirst();
      assertThat(request.body()).isEqualTo(bytes);
      assertThat(verify(KEY, request)).isEqualTo(Signatures.Verification.VERIFIED);
    }
  }

  private static Signatures.Verification verify(String key, Request request) {
    return Signatures.verify(
        List.of(SigningKey.parse(key)),
        new Signatures.Received(
            request.header("webhook-id"),
            request.header("webhook-timestamp"),
            request.header("webhook-signature")),
        request.body(),
        TransportFixture.SENT_AT);
  }

  @Test
  void duringARotationBothKeysVerify() throws IOException, InterruptedException {
    fixture.environment.put("OLD", KEY);
    fixture.environment.put("NEW", NEW_KEY);
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      fixture.send(
          attempt(
              destination(receiver.url(), List.of(), List.of("env:NEW", "env:OLD")),
              content(List.of()),
              body(new byte[] {1})));
      Request request = receiver.requests().getFirst();
      assertThat(verify(KEY, request)).isEqualTo(Signatures.Verification.VERIFIED);
      assertThat(verify(NEW_KEY, request)).isEqualTo(Signatures.Verification.VERIFIED);
    }
  }

  @Test
  @DisplayName("case 39: a producer does not replace what the destination's owner has set")
  void case39_theDestinationsHeadersWin() throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      fixture.send(
          attempt(
              destination(receiver.url(), List.of(new Header("Authorization", "owner")), List.of()),
              content(List.of(new Header("authorization", "producer"))),
              body(new byte[0])));
      assertThat(receiver.requests().getFirst().head())
          .contains("Authorization: owner")
          .noneMatch(line -> line.contains("producer"));
    }
  }

  @ParameterizedTest
  @DisplayName("case 39: a forbidden header of an event is never sent")
  @ValueSource(strings = {"Host", "webhook-signature", "Transfer-Encoding", "idempotency-key"})
  void case39_aForbiddenHeaderIsUnsendable(String name) throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      AttemptResult result =
          fixture.send(
              attempt(
                  destination(receiver.url(), List.of(), List.of()),
                  content(List.of(new Header(name, "x"))),
                  body(new byte[0])));
      assertThat(result.outcome()).isEqualTo(new Outcome.Unsendable(0, "forbidden_header"));
      assertThat(receiver.connections()).isZero();
    }
  }

  @Test
  @DisplayName("case 39: a forbidden header of a destination is its owner's mistake")
  void case39_aForbiddenHeaderOfTheDestinationIsMisconfigured()
      throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      AttemptResult result =
          fixture.send(
              attempt(
                  destination(receiver.url(), List.of(new Header("Host", "x")), List.of()),
                  content(List.of()),
                  body(new byte[0])));
      assertThat(result.outcome()).isEqualTo(new Outcome.Misconfigured(0, "forbidden_header"));
    }
  }

  @ParameterizedTest
  @DisplayName("case 34: a redirect is not followed")
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void case34_aRedirectIsNotFollowed(int status) throws IOException, InterruptedException {
    try (TestingReceiver elsewhere = TestingReceiver.answering(TestingReceiver.OK);
        TestingReceiver receiver =
            TestingReceiver.answering(
                "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
                    .formatted(status, elsewhere.url()))) {
      AttemptResult result = fixture.send(receiver.url());
      assertThat(result.outcome()).isEqualTo(new Outcome.Rejected(status, "http_" + status));
      assertThat(elsewhere.connections()).isZero();
      assertThat(receiver.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 407, 408, 425, 429, 500, 502, 503, 504})
  void nothingIsSentASecondTimeWithoutABudget(int status) throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        TestingReceiver.answering(
            """
            HTTP/1.1 %d No\r
            Retry-After: 0\r
            WWW-Authenticate: Basic realm=x\r
            Proxy-Authenticate: Basic realm=x\r
            Content-Length: 0\r
            \r
            """
                .formatted(status))) {
      assertThat(fixture.send(receiver.url()).outcome().status()).isEqualTo(status);
      assertThat(receiver.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @DisplayName("case 4: every form of Retry-After reaches the outcome")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          7                             | 7000
          1.5                           | 1500
          120ms                         | 120
          2m                            | 120000
          Mon, 30 Nov 2026 12:00:10 GMT | 10000
          Monday, 30-Nov-26 12:00:10 GMT| 10000
          Mon Nov 30 12:00:10 2026      | 10000
          1796040010                    | 10000
          99999999                      | 3600000
          """)
  void case04_retryAfterReachesTheOutcome(String value, long millis)
      throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        TestingReceiver.answering(
            """
            HTTP/1.1 429 Slow down\r
            Date: Mon, 30 Nov 2026 12:00:00 GMT\r
            rEtRy-aFtEr: %s\r
            Content-Length: 0\r
            \r
            """
                .formatted(value))) {
      assertThat(fixture.send(receiver.url()).outcome())
          .isEqualTo(new Outcome.Throttled(429, "http_429", new Hint(Duration.ofMillis(millis))));
    }
  }

  @Test
  void cookiesAreNotRememberedAndConnectionsAre() throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        TestingReceiver.answering(
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n")) {
      fixture.send(receiver.url());
      fixture.send(receiver.url());
      assertThat(receiver.requests().get(1).head()).noneMatch(line -> line.startsWith("Cookie"));
      assertThat(receiver.connections()).isEqualTo(1);
    }
  }

  @Test
  void aCompressedAnswerIsLeftAsItIs() throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        TestingReceiver.answering(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope")) {
      assertThat(fixture.send(receiver.url()).responseHead()).asString().isEqualTo("nope");
    }
  }

  @Test
  void theSystemsProxySettingsAreIgnored() throws IOException, InterruptedException {
    try (TestingReceiver proxy = TestingReceiver.answering(TestingReceiver.OK);
        TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      System.setProperty("http.proxyHost", "127.0.0.1");
      System.setProperty("http.proxyPort", Integer.toString(proxy.port()));
      System.setProperty("http.nonProxyHosts", "");
      System.setProperty("socksNonProxyHosts", "");
      System.setProperty("socksProxyHost", "127.0.0.1");
      System.setProperty("socksProxyPort", Integer.toString(proxy.port()));
      try {
        fixture.send(receiver.url());
      } finally {
        for (String name :
            List.of(
                "http.proxyHost",
                "http.proxyPort",
                "http.nonProxyHosts",
                "socksNonProxyHosts",
                "socksProxyHost",
                "socksProxyPort")) {
          System.clearProperty(name);
        }
      }
      assertThat(proxy.connections()).isZero();
      assertThat(receiver.requests()).hasSize(1);
    }
  }

  @Test
  void anIpv6LiteralIsDialled() throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(
            with -> {
              with.request();
              with.write(TestingReceiver.OK);
            },
            new ServerSocket(),
            "::1")) {
      AttemptResult result = fixture.send("http://[::1]:" + receiver.port() + "/");
      assertThat(result.outcome()).isInstanceOf(Outcome.Delivered.class);
      assertThat(result.resolvedAddress()).isEqualTo("0:0:0:0:0:0:0:1");
      assertThat(receiver.requests().getFirst().header("Host"))
          .isEqualTo("[0:0:0:0:0:0:0:1]:" + receiver.port());
    }
  }

  @Test
  void aMissingSecretHoldsTheDestinationAndSendsNothing() throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      AttemptResult result =
          fixture.send(
              attempt(
                  destination(receiver.url(), List.of(), List.of("env:NONE")),
                  content(List.of()),
                  body(new byte[0])));
      assertThat(result.outcome()).isEqualTo(new Outcome.Misconfigured(0, "secret_missing"));
      assertThat(receiver.connections()).isZero();
    }
  }

  @Test
  void withoutSecretsTheRequestIsUnsigned() throws IOException, InterruptedException {
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      fixture.send(receiver.url());
      assertThat(receiver.requests().getFirst().header("webhook-signature")).isEmpty();
      assertThat(receiver.requests().getFirst().header("webhook-id")).isNotEmpty();
    }
  }

  @Test
  void theBodyGoesBackWhenItIsWrittenAndNotWhenTheAnswerComes()
      throws IOException, InterruptedException {
    var returned = new java.util.concurrent.CompletableFuture<Void>();
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          returned.join();
          with.write(TestingReceiver.OK);
        })) {
      var result =
          fixture.start(
              attempt(
                  destination(receiver.url(), List.of(), List.of()),
                  content(List.of()),
                  () -> TransportFixture.loan(new byte[] {1}, () -> returned.complete(null))));
      assertThat(await(result).outcome()).isInstanceOf(Outcome.Delivered.class);
    }
  }
}
