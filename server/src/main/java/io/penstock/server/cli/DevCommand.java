package io.penstock.server.cli;

import io.penstock.engine.limits.LimitsDocument;
import io.penstock.server.client.ExitCode;
import io.penstock.server.config.Setting;
import io.penstock.server.config.Settings;
import io.penstock.server.json.Json;
import io.penstock.server.limits.LimitsFile;
import io.penstock.server.run.StopSignal;
import io.penstock.server.wiring.LocalServer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs everything on this machine, for development. */
@Command(
    name = "dev",
    mixinStandardHelpOptions = true,
    description = {
      "Runs everything on this machine, for development: a Postgres of its own below data_dir, the",
      "API on loopback, receivers on loopback allowed. Prints the URL and a key that is made at each",
      "start. Data stay between starts. Ends with Ctrl-C."
    })
final class DevCommand implements Callable<Integer> {
  @Mixin ConfigOptions options = new ConfigOptions();

  @Option(names = "--json", description = "Print URL and key as one line of JSON.")
  boolean json;

  @Spec @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Settings settings = options.resolve(LocalServer.settings());
    Settings.Value file = settings.get(Setting.LIMITS_FILE);
    LimitsFile.require(Path.of(file.text()), !file.isDefault());
    PrintWriter out = Output.of(spec);
    StopSignal stop = StopSignal.install();
    int code = ExitCode.FAILED.code();
    try {
      if (!json) {
        out.println("Starting Postgres (the first time takes some seconds) ...");
        out.flush();
      }
      LocalServer server = LocalServer.start(settings, LimitsDocument.DEFAULT, "dev");
      try {
        print(out, server, settings);
        stop.await();
        code = ExitCode.OK.code();
      } finally {
        server.stop();
      }
    } finally {
      stop.finished(code);
    }
    return code;
  }

  private void print(PrintWriter out, LocalServer server, Settings settings) {
    if (json) {
      Map<String, String> ready = new LinkedHashMap<>();
      ready.put("url", server.url().toString());
      ready.put("key", server.key().reveal());
      out.println(Json.text(ready));
    } else {
      out.println(
          """

          Penstock is ready. In another terminal:

            export PENSTOCK_URL=%s
            export PENSTOCK_API_KEY=%s

          Ctrl-C ends it; the data stay in %s.\
          """
              .formatted(
                  server.url(), server.key().reveal(), settings.get(Setting.DATA_DIR).text()));
    }
    out.flush();
  }
}
