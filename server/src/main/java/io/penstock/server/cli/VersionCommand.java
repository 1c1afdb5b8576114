package io.penstock.server.cli;

import io.penstock.server.client.ExitCode;
import io.penstock.server.json.Json;
import io.penstock.server.wiring.Version;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says which version this is. */
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    description = "Says which version this is.")
final class VersionCommand implements Callable<Integer> {
  @Option(names = "--json", description = "As one line of JSON.")
  boolean json;

  @Spec @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    var out = Output.of(spec);
    String java = Runtime.version().toString();
    out.println(
        json
            ? Json.text(Map.of("version", Version.current(), "java", java))
            : "Penstock %s on Java %s".formatted(Version.current(), java));
    out.flush();
    return ExitCode.OK.code();
  }
}
