package io.penstock.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** SQL that lies in a file beside its class. */
public final class Sql {
  private Sql() {}

  /**
   * The text of {@code file} in the package of {@code beside}, without its comment lines, so that
   * what goes over the wire is short and no parameter is seen in prose.
   *
   * @throws IllegalArgumentException if there is no such file
   */
  public static String of(Class<?> beside, String file) {
    try (InputStream in = beside.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no SQL file %s beside %s".formatted(file, beside.getName()));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.stripLeading().startsWith("--"))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file, e);
    }
  }
}
