package io.penstock.gameday.stand;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where Penstock is installed, and how its programs are started.
 *
 * @param folder that holds the launcher
 */
public record Home(Path folder) {

  /** As the launcher says, or the checkout that we are in. */
  public static Home find() {
    String told = System.getenv("PENSTOCK_HOME");
    if (told != null) {
      return new Home(Path.of(told));
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isExecutable(at.resolve("penstock"))) {
        return new Home(at);
      }
    }
    throw new IllegalStateException("there is no launcher ./penstock here or above; run me by it");
  }

  /** Whether the server is built, so that it can be started. */
  public boolean hasServer() {
    return Files.isDirectory(folder.resolve("server/target/lib"));
  }

  /**
   * Whether there is what {@code ./penstock train} keeps; the launcher ignores it after a build.
   */
  public boolean isTrained() {
    return Files.isRegularFile(folder.resolve("server/target/penstock.aot"));
  }

  /** A command of the server, started as a user starts it; the launcher becomes the JVM. */
  List<String> server(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(folder.resolve("penstock").toString()));
    command.addAll(arguments);
    return command;
  }

  /** A program of this module, in a JVM like ours. */
  static List<String> java(Class<?> main, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(arguments);
    return command;
  }
}
