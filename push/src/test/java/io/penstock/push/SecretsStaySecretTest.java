package io.penstock.push;

import static io.penstock.push.TransportFixture.attempt;
import static io.penstock.push.TransportFixture.body;
import static io.penstock.push.TransportFixture.content;
import static io.penstock.push.TransportFixture.destination;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.penstock.engine.transport.AttemptResult;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whatever is logged at any level, and whatever an attempt leaves behind, holds no secret. */
class SecretsStaySecretTest {
  private static final String GOOD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String BAD = "whsec_hunter2!hunter2";

  private final Logger ours = (Logger) LoggerFactory.getLogger("io.penstock.push");
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final TransportFixture fixture = new TransportFixture();
  private Level before = Level.ERROR;

  @BeforeEach
  void listen() {
    before = ours.getLevel();
    ours.setLevel(Level.TRACE);
    ours.setAdditive(false);
    logged.start();
    ours.addAppender(logged);
  }

  @AfterEach
  void close() {
    ours.detachAppender(logged);
    ours.setAdditive(true);
    ours.setLevel(before);
    fixture.close();
  }

  private AttemptResult send(String url, String reference) throws InterruptedException {
    return fixture.send(
        attempt(
            destination(url, List.of(), List.of(reference)),
            content(List.of()),
            body(new byte[0])));
  }

  @Test
  void neitherLogsNorResultsHoldASecret() throws IOException, InterruptedException {
    fixture.environment.put("GOOD", GOOD);
    fixture.environment.put("BAD", BAD);
    StringBuilder results = new StringBuilder();
    try (TestingReceiver receiver = TestingReceiver.answering(TestingReceiver.OK)) {
      for (String reference : List.of("env:GOOD", "env:BAD", "env:NONE", GOOD)) {
        results.append(send(receiver.url(), reference));
      }
      results.append(send("http://127.0.0.1:1024/", "env:GOOD"));
    }
    String log = logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList().toString();
    assertThat(log).as("what went wrong is logged").contains("env:BAD", "env:NONE");
    for (String all : List.of(log, results.toString())) {
      assertThat(all).doesNotContain("MfKQ9r8GKYqr", "hunter2");
    }
  }
}
