package io.penstock.server.cli;

import io.penstock.budget.SystemAccess;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.server.client.ApiClient;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.config.Setting;
import io.penstock.server.config.Settings;
import io.penstock.server.demo.Demo;
import io.penstock.server.demo.DemoFolder;
import io.penstock.server.demo.Summary;
import io.penstock.server.json.Json;
import io.penstock.server.run.StopSignal;
import io.penstock.server.wiring.LocalServer;
import io.penstock.server.yaml.Quantities;
import java.io.Console;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows it all at work. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Shows it all at work: a Postgres of its own in a folder that is deleted afterwards, three",
      "receivers (one healthy, one that answers 429 above 20 a second, one broken) and 30 events a",
      "second to each. Prints the URL and a key, so that you can look around with the other commands",
      "meanwhile. Ends with Ctrl-C, or after --for, with the books: nothing may be lost."
    })
final class DemoCommand implements Callable<Integer> {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long, for instance 30s (default: until Ctrl-C).")
  @Nullable String length;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Of the API, on 127.0.0.1 (default: any free one).")
  int port;

  @Option(names = "--json", description = "No table; end with one line of JSON.")
  boolean json;

  @Spec @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    Duration wanted = length == null ? FOR_EVER : parsed(length);
    LogLevels.onlyWarnings();
    StopSignal stop = StopSignal.install();
    int code = ExitCode.FAILED.code();
    try (DemoFolder folder = DemoFolder.create()) {
      Map<Setting, String> flags = LocalServer.settings();
      flags.put(Setting.DATA_DIR, folder.path().toString());
      flags.put(Setting.LIMITS_FILE, folder.limitsFile().toString());
      flags.put(Setting.LISTEN, "127.0.0.1:" + port);
      code = run(Settings.resolve(flags, Map.of(), Optional.empty()), wanted, stop);
    } finally {
      stop.finished(code);
    }
    return code;
  }

  private static Duration parsed(String text) {
    return Quantities.duration(text)
        .filter(Duration::isPositive)
        .orElseThrow(() ->
            new CommandException(
                ExitCode.USAGE,
                "--for: wanted %s, got %s".formatted(Quantities.DURATION_WORDS, text)));
  }

  @SystemAccess("the demo measures itself by the system's monotonic clock")
  private int run(Settings settings, Duration wanted, StopSignal stop) throws InterruptedException {
    PrintWriter out = Output.of(spec);
    say(out, "Starting Postgres (some seconds) ...");
    LocalServer server = LocalServer.start(settings, LimitsDocument.DEFAULT, "demo");
    try (ApiClient api = new ApiClient(server.url(), server.key().reveal())) {
      say(
          out,
          "URL  %s%nkey  %s (of this run only)%n".formatted(server.url(), server.key().reveal()));
      boolean live = !json && isTerminal();
      Demo demo =
          new Demo(api, json ? new PrintWriter(Writer.nullWriter()) : out, live, System::nanoTime);
      Summary summary = demo.run(wanted, stop::await);
      print(out, summary);
      return summary.met() ? ExitCode.OK.code() : ExitCode.BARS.code();
    } finally {
      server.stop();
    }
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is no terminal
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private void say(PrintWriter out, String text) {
    if (!json) {
      out.println(text);
      out.flush();
    }
  }

  private void print(PrintWriter out, Summary summary) {
    if (json) {
      out.println(Json.text(summary));
    } else {
      for (Summary.Bar bar : summary.bars()) {
        out.println(
            "%s %s: wanted %s, got %s"
                .formatted(bar.ok() ? "met   " : "MISSED", bar.name(), bar.wanted(), bar.got()));
      }
    }
    out.flush();
  }
}
