package io.penstock.push.signing;

import static io.penstock.push.signing.Signatures.Verification.MALFORMED;
import static io.penstock.push.signing.Signatures.Verification.NO_MATCH;
import static io.penstock.push.signing.Signatures.Verification.OUT_OF_TIME;
import static io.penstock.push.signing.Signatures.Verification.VERIFIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.push.signing.Signatures.Received;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignaturesTest {
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long TIMESTAMP = 1_614_265_330;
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
  private static final Instant NOW = Instant.ofEpochSecond(TIMESTAMP);

  private static final String HMAC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String HMAC_SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
  private static final String ED25519 =
      "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
  private static final String ED25519_PUBLIC = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
  private static final String ED25519_SIGNATURE =
      "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";

  private static Signatures.Verification verify(String key, String signatures) {
    return Signatures.verify(
        List.of(SigningKey.parse(key)),
        new Received(ID, Long.toString(TIMESTAMP), signatures),
        BODY,
        NOW);
  }

  @Test
  void theStandardsVectorsAreMet() {
    assertThat(Signatures.sign(List.of(SigningKey.parse(HMAC)), ID, TIMESTAMP, BODY))
        .isEqualTo(HMAC_SIGNATURE);
    assertThat(Signatures.sign(List.of(SigningKey.parse(ED25519)), ID, TIMESTAMP, BODY))
        .isEqualTo(ED25519_SIGNATURE);
  }

  @Test
  void severalKeysGiveSeveralSignaturesInTheirOrder() {
    List<SigningKey> keys = List.of(SigningKey.parse(HMAC), SigningKey.parse(ED25519));
    assertThat(Signatures.sign(keys, ID, TIMESTAMP, BODY))
        .isEqualTo(HMAC_SIGNATURE + " " + ED25519_SIGNATURE);
  }

  @Test
  void aReceiverVerifiesWithAnyOfItsKeysDuringARotation() {
    String both = "v1,bm9uc2Vuc2U= v9,future " + HMAC_SIGNATURE + " " + ED25519_SIGNATURE;
    assertThat(verify(HMAC, both)).isEqualTo(VERIFIED);
    assertThat(verify(ED25519, both)).isEqualTo(VERIFIED);
    assertThat(verify(ED25519_PUBLIC, both)).isEqualTo(VERIFIED);
  }

  @Test
  void whatWasChangedIsRefused() {
    List<SigningKey> keys = List.of(SigningKey.parse(HMAC), SigningKey.parse(ED25519_PUBLIC));
    String timestamp = Long.toString(TIMESTAMP);
    for (String signature : List.of(HMAC_SIGNATURE, ED25519_SIGNATURE)) {
      assertThat(Signatures.verify(keys, new Received("x", timestamp, signature), BODY, NOW))
          .isEqualTo(NO_MATCH);
      assertThat(
              Signatures.verify(
                  keys, new Received(ID, Long.toString(TIMESTAMP + 1), signature), BODY, NOW))
          .isEqualTo(NO_MATCH);
      assertThat(
              Signatures.verify(
                  keys, new Received(ID, timestamp, signature), new byte[] {'{', '}'}, NOW))
          .isEqualTo(NO_MATCH);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1,", "v1,!!", "v1a,AAAA", "nonsense", "v1", "v1a,g0hM9SsE"})
  void aSignatureThatIsNoneMatchesNothing(String signature) {
    assertThat(verify(HMAC, signature)).isEqualTo(NO_MATCH);
    assertThat(verify(ED25519_PUBLIC, signature)).isEqualTo(NO_MATCH);
  }

  @Test
  void anOldOrEarlyMessageIsRefused() {
    List<SigningKey> keys = List.of(SigningKey.parse(HMAC));
    Received received = new Received(ID, Long.toString(TIMESTAMP), HMAC_SIGNATURE);
    Duration limit = Signatures.TOLERANCE;
    assertThat(Signatures.verify(keys, received, BODY, NOW.plus(limit))).isEqualTo(VERIFIED);
    assertThat(Signatures.verify(keys, received, BODY, NOW.plus(limit).plusSeconds(1)))
        .isEqualTo(OUT_OF_TIME);
    assertThat(Signatures.verify(keys, received, BODY, NOW.minus(limit).minusSeconds(1)))
        .isEqualTo(OUT_OF_TIME);
  }

  @Test
  void absentOrBrokenHeadersAreSaidSo() {
    List<SigningKey> keys = List.of(SigningKey.parse(HMAC));
    String timestamp = Long.toString(TIMESTAMP);
    for (Received received :
        List.of(
            new Received("", timestamp, HMAC_SIGNATURE),
            new Received(ID, "", HMAC_SIGNATURE),
            new Received(ID, "soon", HMAC_SIGNATURE),
            new Received(ID, "999999999999999999", HMAC_SIGNATURE),
            new Received(ID, timestamp, " "))) {
      assertThat(Signatures.verify(keys, received, BODY, NOW)).isEqualTo(MALFORMED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "whsec_",
        "whsec_c2hvcnQ=",
        "whsec_not base64 at all!",
        "whsk_AAAA",
        "whpk_AAAA",
        "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
      })
  void aKeyThatIsNoneIsRefusedWithoutRepeatingIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SigningKey.parse(text))
        .satisfies(e -> {
          String secret = text.substring(text.indexOf('_') + 1);
          if (!secret.isEmpty()) {
            assertThat(e).message().doesNotContain(secret);
          }
          assertThat(e.getCause()).isNull();
        });
  }

  @Test
  void aKeyShowsNothingOfItself() {
    assertThat(SigningKey.parse(HMAC).toString()).isEqualTo("HmacKey");
    assertThat(SigningKey.parse(ED25519).toString()).isEqualTo("Ed25519Key");
  }
}
