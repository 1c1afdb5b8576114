package io.penstock.postgres.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process of its own that runs the embedded Postgres until it is killed. Prints the postmaster's
 * process id once it is ready.
 */
final class TestingServer implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private TestingServer(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The other process's main. */
  public static void main(String[] arguments) throws IOException {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.start(
            EmbeddedOptions.under(Path.of(arguments[0])).withBinaries(Path.of(arguments[1])));
    System.out.println(postgres.postgresPid());
    System.in.transferTo(System.out); // until the parent goes
  }

  static TestingServer start(Path root, Path binaries) throws IOException {
    return new TestingServer(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TestingServer.class.getName(),
                root.toString(),
                binaries.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Waits for the first line that is a number: the postmaster's id; 0 when it could not start. */
  long postgresPid() throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.matches("\\d+")) {
        return Long.parseLong(line);
      }
    }
    return 0;
  }

  void killHard() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    killHard();
  }
}
