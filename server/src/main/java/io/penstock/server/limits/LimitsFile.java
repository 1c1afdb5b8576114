package io.penstock.server.limits;

import io.penstock.engine.limits.LimitsDocument;
import io.penstock.server.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds {@code limits.yaml} and reads it. */
public final class LimitsFile {
  private LimitsFile() {}

  /**
   * The limits of a file; the built-in defaults when it does not exist and nobody named it.
   *
   * @param wanted whether somebody named the file
   * @throws io.penstock.server.yaml.FaultyFileException with everything that is wrong in it
   */
  public static LimitsDocument load(Path file, boolean wanted) {
    if (!Files.exists(file)) {
      if (wanted) {
        throw new ConfigException("limits_file: there is no file %s".formatted(file));
      }
      return LimitsDocument.DEFAULT;
    }
    try {
      return LimitsReader.read(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new ConfigException("limits_file: %s cannot be read: %s".formatted(file, e), e);
    }
  }
}
