package io.penstock.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers whose status says that they have no body, over connections that stay open. */
class BodilessAnswerTest {
  private final TransportFixture fixture = new TransportFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void a204WithoutALengthIsDeliveredAtOnce() throws IOException, InterruptedException {
    try (TestingReceiver receiver =
        new TestingReceiver(with -> {
          with.request();
          with.write("HTTP/1.1 204 No Content\r\n\r\n");
          with.request(); // the connection stays open
        })) {
      var result = fixture.send(receiver.url());
      assertThat(result.outcome().status()).isEqualTo(204);
      assertThat(result.took()).isLessThan(Duration.ofSeconds(1));
      assertThat(result.responseHead()).isEmpty();
    }
  }
}
