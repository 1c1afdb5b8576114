package io.penstock.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class KeyTextTest {
  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);

  @Test
  void aKeyReadsBackAsItself() {
    KeyText key = KeyText.generate(random);
    KeyText again = KeyText.parse(key.reveal()).orElseThrow();
    assertThat(again.sha256()).isEqualTo(key.sha256());
    assertThat(again.id()).isEqualTo(key.id()).hasSize(11);
    assertThat(key.reveal()).matches("ps_[0-9a-hjkmnp-tv-z]{39}");
  }

  @Test
  void aKeyWithOneWrongCharacterIsNone() {
    String text = KeyText.generate(random).reveal();
    for (int i = 0; i < text.length(); i++) {
      char other = text.charAt(i) == '7' ? '8' : '7';
      String broken = text.substring(0, i) + other + text.substring(i + 1);
      assertThat(KeyText.parse(broken)).isEmpty();
    }
    assertThat(KeyText.parse(text.substring(1))).isEmpty();
    assertThat(KeyText.parse(text + " ")).isEmpty();
    assertThat(KeyText.parse(null)).isEmpty();
  }

  @Test
  void nothingButTheIdIsEverPrinted() {
    KeyText key = KeyText.generate(random);
    assertThat(key.toString()).isEqualTo(key.id() + "…");
  }
}
