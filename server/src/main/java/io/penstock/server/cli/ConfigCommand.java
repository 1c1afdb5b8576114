package io.penstock.server.cli;

import io.penstock.server.client.ExitCode;
import io.penstock.server.client.Table;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.config.Settings;
import io.penstock.server.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the configuration. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = "Shows the server's configuration and where each value comes from.",
    synopsisSubcommandLabel = "show")
final class ConfigCommand {
  @Spec @Nullable CommandSpec spec;

  /** One setting as it stands. */
  record Shown(String value, String source) {}

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = {
        "Prints each setting with its value and its source: flag before environment before",
        "penstock.yaml before default. Secrets are masked. Checks the whole configuration."
      })
  int show(
      @Mixin ConfigOptions options,
      @Option(names = "--embedded", description = "As with serve --embedded.") boolean embedded,
      @Option(names = "--json", description = "As one line of JSON.") boolean json) {
    Settings settings = options.resolve(embedded ? Map.of(Setting.EMBEDDED, "true") : Map.of());
    Map<String, Shown> all = new LinkedHashMap<>();
    Table table = new Table("SETTING", "VALUE", "SOURCE", "MEANING");
    for (Setting setting : Setting.values()) {
      if (setting.isForTests() && settings.get(setting).isDefault()) {
        continue;
      }
      Shown shown = new Shown(settings.shown(setting), settings.get(setting).source());
      all.put(setting.key(), shown);
      table.row(setting.key(), shown.value(), shown.source(), setting.meaning());
    }
    var out = Output.of(spec);
    out.println(json ? Json.text(all) : table.toString());
    out.flush();
    ServerConfig.from(settings);
    return ExitCode.OK.code();
  }
}
