package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs the bundle's programs with an environment that has nothing of ours in it. */
final class Programs {
  /** What the shell reports for a program that it cannot find; here for one that cannot start. */
  private static final int NOT_STARTED = 127;

  /** Bytes of output kept: initdb and pg_ctl say less. */
  private static final int MOST_OUTPUT = 64 << 10;

  private Programs() {}

  /** How a program ended, and what it said on both outputs. */
  record Ended(int code, String output) {}

  /** Runs to the end. A program that cannot be started has ended with code 127. */
  static Ended run(List<String> command) {
    try {
      Process process =
          builder(command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      byte[] output = process.getInputStream().readNBytes(MOST_OUTPUT);
      process.getInputStream().skip(Long.MAX_VALUE);
      return new Ended(waitFor(process), new String(output, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return new Ended(NOT_STARTED, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Starts a program in a session of its own, so that Ctrl-C in our terminal does not reach it: it
   * is stopped by us, and last.
   */
  static Process detached(List<String> command, Path log) throws IOException {
    List<String> words = new java.util.ArrayList<>(List.of("setsid"));
    words.addAll(command);
    return builder(words)
        .redirectErrorStream(true)
        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  // PG* variables would change what the programs do, LC_* how they sort, and the rest is not theirs
  // to know: our environment may hold secrets.
  private static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    String path = System.getenv("PATH");
    builder.environment().clear();
    builder.environment().put("PATH", path == null ? "/usr/sbin:/usr/bin:/sbin:/bin" : path);
    builder.environment().put("LC_ALL", "C");
    return builder.directory(Path.of("/").toFile());
  }

  private static int waitFor(Process process) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return process.waitFor();
        } catch (InterruptedException e) {
          interrupted = true; // these programs end by themselves; half a stop would be worse
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
