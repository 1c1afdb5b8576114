package io.penstock.push.secret;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code env:NAME}: a variable of the process's environment. */
public final class EnvironmentStore implements SecretStore {
  private final Function<String, @Nullable String> environment;

  /** Reads variables through {@code environment}, which gives null for one that is not set. */
  public EnvironmentStore(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String scheme() {
    return "env";
  }

  @Override
  public SecretAnswer fetch(String reference, String name) {
    String value = environment.apply(name);
    return value == null || value.isBlank()
        ? new SecretAnswer.Absent("%s: the variable is not set".formatted(reference))
        : new SecretAnswer.Present(
            new Secret(reference, value.strip().getBytes(StandardCharsets.UTF_8)));
  }
}
