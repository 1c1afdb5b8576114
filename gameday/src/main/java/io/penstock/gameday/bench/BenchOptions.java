package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all benches have in common. */
final class BenchOptions {
  @Option(names = "--json", description = "End with one line of JSON.")
  private boolean json;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where data and logs go (default: a new temporary one, deleted if all is well).")
  private @Nullable Path wanted;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** A folder for this run. */
  Path folder(String name) throws IOException {
    return wanted == null
        ? Files.createTempDirectory("penstock-" + name)
        : Files.createDirectories(wanted);
  }

  /** A line for a person who waits. */
  void progress(String line) {
    var err = java.util.Objects.requireNonNull(spec).commandLine().getErr();
    err.println(line);
    err.flush();
  }

  int print(Report report) {
    return report.print(java.util.Objects.requireNonNull(spec).commandLine().getOut(), json);
  }
}
