package io.penstock.server.cli;

import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.migration.Migrator;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.limits.LimitsFile;
import io.penstock.server.run.StopSignal;
import io.penstock.server.wiring.LedgerHome;
import io.penstock.server.wiring.PenstockServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a node. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a node: the API, and the loops that deliver. Any number of nodes work on one database.",
      "Wants PENSTOCK_DATABASE_URL (or DATABASE_URL), or --embedded. Ends in good order on SIGTERM:",
      "what is in flight has node.grace to end, the rest is handed back."
    },
    footer = {
      "",
      "Examples:",
      "  PENSTOCK_DATABASE_URL=postgres://penstock@db/penstock penstock serve --migrate",
      "  penstock serve --embedded --data-dir /var/lib/penstock --listen 0.0.0.0:8420"
    })
final class ServeCommand implements Callable<Integer> {
  @Mixin ConfigOptions options = new ConfigOptions();

  @Option(names = "--embedded", description = "Run a Postgres of our own below data_dir.")
  boolean embedded;

  @Option(names = "--migrate", description = "Bring the schema up to date first.")
  boolean migrate;

  @Override
  public Integer call() throws InterruptedException {
    ServerConfig config =
        ServerConfig.from(options.resolve(embedded ? Map.of(Setting.EMBEDDED, "true") : Map.of()));
    LimitsFile.require(config.limitsFile(), config.limitsFileWanted());
    StopSignal stop = StopSignal.install();
    int code = ExitCode.FAILED.code();
    try {
      code = run(config, stop);
    } finally {
      stop.finished(code);
    }
    return code;
  }

  private int run(ServerConfig config, StopSignal stop) throws InterruptedException {
    LedgerHome home = LedgerHome.open(config);
    PenstockServer server;
    try {
      bringUpToDate(home);
      server = new PenstockServer(config, LimitsDocument.DEFAULT, home);
    } catch (RuntimeException e) {
      home.close();
      throw e;
    }
    try {
      server.start();
      stop.await();
    } finally {
      server.stop();
    }
    return ExitCode.OK.code();
  }

  private void bringUpToDate(LedgerHome home) {
    if (migrate) {
      home.migrate();
    }
    Migrator.Status schema = home.schema();
    List<String> pending = schema.pending();
    if (!pending.isEmpty()) {
      throw new CommandException(
          ExitCode.MIGRATIONS,
          "the database lacks %d migrations (%s); run penstock migrate, or serve --migrate"
              .formatted(pending.size(), String.join(", ", pending)));
    }
    List<String> unknown = schema.unknown();
    if (!unknown.isEmpty()) {
      throw new CommandException(
          ExitCode.MIGRATIONS,
          "the database has migrations that this program does not know (%s); run a newer Penstock"
              .formatted(String.join(", ", unknown)));
    }
  }
}
