package io.penstock.server.limits;

import io.penstock.server.config.ConfigException;
import io.penstock.server.json.Utf8;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.FaultyFileException;
import io.penstock.server.yaml.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/** A {@code limits.yaml} on disk, read within a bound. Safe for use by many threads. */
public record LimitsFile(Path path) {
  /** Forty thousand destinations with ten lines each. */
  public static final int MOST_BYTES = 8 << 20;

  /**
   * Refuses a file that was named and is not there.
   *
   * @param wanted whether somebody named it
   */
  public static void require(Path file, boolean wanted) {
    if (wanted && !Files.exists(file)) {
      throw new ConfigException("limits_file: there is no file %s".formatted(file));
    }
  }

  /** Its text; empty when there is no such file. Throws FaultyFileException when it is no text. */
  public Optional<String> text() throws IOException {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    }
    if (bytes.length > MOST_BYTES) {
      throw faulty("the file is larger than %,d bytes".formatted(MOST_BYTES));
    }
    int fault = Utf8.firstFault(bytes);
    if (fault >= 0) {
      throw faulty("wanted UTF-8, got byte 0x%02x at offset %d".formatted(bytes[fault], fault));
    }
    return Optional.of(new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * What changes when the file does, also when a symbolic link on the way to it is swapped: cheap
   * enough to ask several times a second. Empty when there is no such file.
   */
  Optional<String> mark() throws IOException {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    BasicFileAttributes its = Files.readAttributes(path, BasicFileAttributes.class);
    return Optional.of(
        "%s %s %d %s"
            .formatted(path.toRealPath(), its.fileKey(), its.size(), its.lastModifiedTime()));
  }

  private FaultyFileException faulty(String message) {
    return new FaultyFileException(
        List.of(new Fault(new Place(path.toString(), 1, 1), "", message)));
  }
}
