package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Whole folders at once. Symbolic links are never followed. */
final class Folders {
  private Folders() {}

  /** Deletes the folder with all that is in it; nothing happens when it is not there. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    for (Path path : contents(folder).reversed()) {
      Files.deleteIfExists(path);
    }
  }

  /** Gives the folder and all that is in it to {@code owner}. */
  static void give(Path folder, UserPrincipal owner) throws IOException {
    for (Path path : contents(folder)) {
      if (!Files.isSymbolicLink(path)) {
        Files.setOwner(path, owner);
      }
    }
  }

  private static List<Path> contents(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.sorted(Comparator.naturalOrder()).toList();
    }
  }
}
