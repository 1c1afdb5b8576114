package io.penstock.push.signing;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.push.secret.Secret;
import io.penstock.push.secret.SecretAnswer;
import io.penstock.push.secret.SecretStore;
import io.penstock.push.secret.Secrets;
import io.penstock.push.signing.Keyring.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyringTest {
  private static final Duration PATIENCE = Duration.ofMillis(1);
  private static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final TestingStore store = new TestingStore();
  private long nanos;
  private final Keyring keyring =
      new Keyring(new Secrets(List.of(store)), Runnable::run, () -> nanos);

  private static final class TestingStore implements SecretStore {
    private final Map<String, String> values = new HashMap<>();
    private boolean silent;
    private int asked;

    @Override
    public String scheme() {
      return "test";
    }

    @Override
    public SecretAnswer fetch(String reference, String name) {
      asked++;
      String value = values.get(name);
      if (silent) {
        return new SecretAnswer.Silent(reference + ": no answer");
      }
      return value == null
          ? new SecretAnswer.Absent(reference + ": not there")
          : new SecretAnswer.Present(new Secret(reference, value.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private Keys resolve(String... references) throws InterruptedException {
    return keyring.resolve(List.of(references), PATIENCE);
  }

  @Test
  void noReferencesAreNoKeys() throws InterruptedException {
    assertThat(resolve()).isEqualTo(new Keys.Ready(List.of()));
  }

  @Test
  void aKeyIsReadOnceAndKeptForAShortTime() throws InterruptedException {
    store.values.put("a", KEY);
    resolve("test:a");
    resolve("test:a");
    assertThat(store.asked).isEqualTo(1);
    pass(Duration.ofSeconds(31));
    resolve("test:a");
    assertThat(store.asked).isEqualTo(2);
  }

  @Test
  void aMissingSecretIsMissingAndIsFoundSoonAfterItIsThere() throws InterruptedException {
    assertThat(resolve("test:a"))
        .isInstanceOfSatisfying(
            Keys.Missing.class, missing -> assertThat(missing.why()).contains("test:a"));
    store.values.put("a", KEY);
    pass(Duration.ofSeconds(3));
    assertThat(resolve("test:a")).isInstanceOf(Keys.Ready.class);
  }

  @Test
  void aWithdrawnSecretIsForgotten() throws InterruptedException {
    store.values.put("a", KEY);
    resolve("test:a");
    store.values.clear();
    pass(Duration.ofSeconds(31));
    resolve("test:a");
    assertThat(resolve("test:a")).isInstanceOf(Keys.Missing.class);
  }

  @Test
  void aSilentStoreIsNotAMissingSecretAndStopsNoKeyThatIsKnown() throws InterruptedException {
    store.values.put("a", KEY);
    resolve("test:a");
    store.silent = true;
    pass(Duration.ofSeconds(31));
    resolve("test:a");
    assertThat(resolve("test:a")).isInstanceOf(Keys.Ready.class);
    assertThat(resolve("test:b")).isInstanceOf(Keys.Silent.class);
  }

  @Test
  void aHangingStoreIsSilent() throws InterruptedException {
    Keyring hanging = new Keyring(new Secrets(List.of(store)), _ -> {}, () -> nanos);
    assertThat(hanging.resolve(List.of("test:a"), PATIENCE)).isInstanceOf(Keys.Silent.class);
  }

  @Test
  void aSecretThatIsNoKeyIsNotRepeated() throws InterruptedException {
    store.values.put("a", "hunter2-hunter2-hunter2");
    assertThat(resolve("test:a"))
        .isInstanceOfSatisfying(
            Keys.Missing.class,
            missing -> assertThat(missing.why()).contains("test:a").doesNotContain("hunter2"));
  }
}
