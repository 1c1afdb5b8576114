package io.penstock.gameday.stand;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process of the stand. Ours hold their standard input open for as long as we live, and end when
 * it closes, so that none outlives a stand that was killed. For one thread.
 */
public final class Child implements AutoCloseable {
  /** For an end in good order; then it is killed. */
  private static final Duration GRACE = Duration.ofSeconds(60);

  private static final int TAIL_LINES = 30;

  private final String name;
  private final Process process;
  private final Path errors;
  private final BufferedReader output;

  private Child(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a process; its errors go to {@code NAME.log} in the folder.
   *
   * @param environment added to ours
   * @param outputToo whether its output goes there as well; otherwise we read it
   */
  static Child start(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path folder,
      boolean outputToo)
      throws IOException {
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    if (outputToo) {
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }
    return new Child(name, builder.start(), log);
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** Its next line of output; throws when it has ended without one. */
  String line() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException(name + " ended without an answer:\n" + tail());
    }
    return line;
  }

  /** Waits for its end; false when it still lives after {@code most}. */
  public boolean awaitEnd(Duration most) throws InterruptedException {
    return process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** SIGKILL. */
  public void killHard() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM, and waits for the end. */
  public void terminate() throws IOException, InterruptedException {
    process.destroy();
    if (!awaitEnd(GRACE)) {
      killHard();
      throw new IOException(
          "%s did not end within %d s of SIGTERM:\n%s".formatted(name, GRACE.toSeconds(), tail()));
    }
  }

  /** Closes its input, which asks our own programs to end. */
  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /** The last lines of its log, for a person. */
  String tail() throws IOException {
    try (Stream<String> lines = Files.lines(errors, StandardCharsets.UTF_8)) {
      List<String> all = lines.toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - TAIL_LINES), all.size()));
    }
  }

  /** Ends it, in good order if it can. */
  @Override
  public void close() {
    try {
      if (alive()) {
        endInput();
        process.destroy();
        if (!awaitEnd(GRACE)) {
          killHard();
        }
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
