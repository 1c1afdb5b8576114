package io.penstock.server.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is gone when the demo is over. */
public record DemoFolder(Path path) implements AutoCloseable {

  /** Makes one that only this user can enter. */
  public static DemoFolder create() {
    try {
      return new DemoFolder(Files.createTempDirectory("penstock-demo-"));
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for the demo could be made", e);
    }
  }

  /** A limits file of its own, which does not exist: the folder that it is run in has no say. */
  public Path limitsFile() {
    return path.resolve("limits.yaml");
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the demo's folder %s could not be deleted".formatted(path), e);
    }
  }
}
