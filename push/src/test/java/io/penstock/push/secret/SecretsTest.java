package io.penstock.push.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {
  private static final String VALUE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @TempDir Path directory;

  private final Secrets secrets =
      new Secrets(
          List.of(
              new EnvironmentStore(name -> Map.of("KEY", VALUE + "\n", "EMPTY", " ").get(name)),
              new FileStore()));

  private static String value(SecretAnswer answer) {
    return answer instanceof SecretAnswer.Present(Secret secret) ? secret.reveal() : "";
  }

  @Test
  void aVariableOfTheEnvironmentIsRead() {
    assertThat(value(secrets.fetch("env:KEY"))).isEqualTo(VALUE);
  }

  @Test
  void aFileIsReadWithoutTheLineEndThatEditorsAdd() throws IOException {
    Path file = directory.resolve("key");
    Files.writeString(file, VALUE + "\n");
    assertThat(value(secrets.fetch("file:" + file))).isEqualTo(VALUE);
  }

  @Test
  void whatIsMissingIsNamedByItsReference() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty"), "\n");
    Path huge = Files.writeString(directory.resolve("huge"), "x".repeat(100_000));
    for (String reference :
        List.of(
            "env:NONE",
            "env:EMPTY",
            "file:relative",
            "file:" + directory.resolve("none"),
            "file:" + empty,
            "file:" + huge,
            "file:\0")) {
      assertThat(secrets.fetch(reference))
          .as(reference)
          .isInstanceOfSatisfying(
              SecretAnswer.Absent.class, absent -> assertThat(absent.why()).contains(reference));
    }
  }

  @Test
  void aFileThatCannotBeReadLeavesOpenWhatItHolds() {
    assertThat(secrets.fetch("file:" + directory)).isInstanceOf(SecretAnswer.Silent.class);
  }

  @Test
  void aSecretInThePlaceOfAReferenceIsNotRepeated() {
    SecretAnswer answer = secrets.fetch(VALUE);
    assertThat(answer.toString()).contains("env", "file").doesNotContain(VALUE);
  }

  @Test
  void aSecretShowsItsReferenceOnly() {
    Secret secret = new Secret("env:KEY", VALUE.getBytes(StandardCharsets.UTF_8));
    assertThat(secret.toString()).contains("env:KEY").doesNotContain("MfKQ");
    assertThat(new SecretAnswer.Present(secret).toString()).doesNotContain("MfKQ");
  }
}
