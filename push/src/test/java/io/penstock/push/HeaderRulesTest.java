package io.penstock.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.event.Header;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderRulesTest {

  @ParameterizedTest
  @DisplayName("case 39: what frames, names or signs the request is not the producer's to set")
  @ValueSource(
      strings = {
        "Host",
        "HOST",
        "Content-Length",
        "Content-Type",
        "Transfer-Encoding",
        "Connection",
        "Keep-Alive",
        "TE",
        "Trailer",
        "Upgrade",
        "Expect",
        "HTTP2-Settings",
        "Idempotency-Key",
        "Webhook-Id",
        "webhook-signature",
        "webhook-timestamp",
        "webhook-anything",
        "Proxy-Authorization",
        "proxy-connection"
      })
  void case39_reservedHeadersAreRefusedByName(String name) {
    assertThat(HeaderRules.refusal(new Header(name, "x")))
        .hasValueSatisfying(message -> assertThat(message).contains(name));
  }

  @ParameterizedTest
  @DisplayName("case 39: nothing can be smuggled in a name or a value")
  @ValueSource(strings = {"a\r\nHost: x", "a\nb", "a\rb", "a\0b", "\u007f", "bücher", "\u0000"})
  void case39_lineEndsAndControlsAreRefused(String text) {
    assertThat(HeaderRules.refusal(new Header("X-A", text))).isPresent();
    assertThat(HeaderRules.refusal(new Header(text, "x"))).isPresent();
    assertThat(HeaderRules.valueRefusal("Content-Type", text)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "X A", "X:", "(x)", "X/Y", "\"x\""})
  void aNameMustBeAToken(String name) {
    assertThat(HeaderRules.refusal(new Header(name, "x"))).isPresent();
  }

  @Test
  void ordinaryHeadersPass() {
    assertThat(
            HeaderRules.refusal(
                List.of(
                    new Header("Authorization", "Bearer abc"),
                    new Header(
                        "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                    new Header("X-Empty", ""),
                    new Header("User-Agent", "x\ty"),
                    new Header("Content-Encoding", "gzip"))))
        .isEmpty();
  }

  @Test
  void allTogetherHaveABound() {
    List<Header> most = List.of(new Header("A", "x".repeat(HeaderRules.MAX_BLOCK_BYTES - 5)));
    assertThat(HeaderRules.refusal(most)).isEmpty();
    List<Header> over = List.of(new Header("A", "x".repeat(HeaderRules.MAX_BLOCK_BYTES - 4)));
    assertThat(HeaderRules.refusal(over))
        .hasValueSatisfying(message -> assertThat(message).contains("16385", "16384"));
  }
}
