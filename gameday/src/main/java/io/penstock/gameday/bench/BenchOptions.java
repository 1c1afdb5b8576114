package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all benches have in common. */
public final class BenchOptions {
  @Option(names = "--json", description = "End with one line of JSON.")
  private boolean json;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description =
          "Where data and logs go (default: a new temporary one, deleted if all is well).")
  private @Nullable Path wanted;

  private @Nullable Path used;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** A folder for this run. */
  public Path folder(String name) throws IOException {
    used = wanted == null ? Files.createTempDirectory("penstock-" + name) : wanted;
    return Files.createDirectories(used);
  }

  /** A line for a person who waits. */
  public void progress(String line) {
    var err = Objects.requireNonNull(spec).commandLine().getErr();
    err.println(line);
    err.flush();
  }

  /** Prints the report; the folder goes with it unless a bar was missed or it was asked for. */
  public int print(Report report) throws IOException {
    int code = report.print(Objects.requireNonNull(spec).commandLine().getOut(), json);
    Path temporary = wanted == null ? used : null;
    if (temporary != null && report.met()) {
      try (Stream<Path> all = Files.walk(temporary)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    } else {
      progress("data and logs are in " + used);
    }
    return code;
  }
}
