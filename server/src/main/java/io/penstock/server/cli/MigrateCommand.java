package io.penstock.server.cli;

import io.penstock.server.client.ExitCode;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.json.Json;
import io.penstock.server.wiring.LedgerHome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Brings the database's schema up to date. */
@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    description = {
      "Brings the database's schema up to this program's version. With --check it only says what",
      "is pending, and ends with 6 when something is."
    })
final class MigrateCommand implements Callable<Integer> {
  @Mixin ConfigOptions options = new ConfigOptions();

  @Option(names = "--embedded", description = "Of the embedded Postgres below data_dir.")
  boolean embedded;

  @Option(names = "--check", description = "Change nothing.")
  boolean check;

  @Option(names = "--json", description = "As one line of JSON.")
  boolean json;

  @Spec @Nullable CommandSpec spec;

  /** What was done, or would be. */
  record Migrated(List<String> applied, List<String> pending) {}

  @Override
  public Integer call() {
    ServerConfig config =
        ServerConfig.from(options.resolve(embedded ? Map.of(Setting.EMBEDDED, "true") : Map.of()));
    try (LedgerHome home = LedgerHome.open(config)) {
      Migrated result =
          check
              ? new Migrated(List.of(), home.pendingMigrations())
              : new Migrated(home.migrate(), List.of());
      print(result);
      return result.pending().isEmpty() ? ExitCode.OK.code() : ExitCode.MIGRATIONS.code();
    }
  }

  private void print(Migrated result) {
    var out = Output.of(spec);
    if (json) {
      out.println(Json.text(result));
    } else {
      result.pending().forEach(version -> out.println("pending: " + version));
      result.applied().forEach(version -> out.println("applied: " + version));
      if (result.pending().isEmpty() && result.applied().isEmpty()) {
        out.println("The schema is up to date.");
      }
    }
    out.flush();
  }
}
