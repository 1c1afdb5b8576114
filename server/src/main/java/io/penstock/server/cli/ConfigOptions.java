package io.penstock.server.cli;

import io.penstock.server.config.ConfigException;
import io.penstock.server.config.Setting;
import io.penstock.server.config.Settings;
import io.penstock.server.spelling.Spelling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command that reads the server's configuration has in common. */
final class ConfigOptions {
  private static final Path USUAL_FILE = Path.of("penstock.yaml");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration (default: penstock.yaml, if it is there).")
  @Nullable Path file;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where to listen (default: 127.0.0.1:8420; port 0 = any free one).")
  @Nullable String listen;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Folder of the embedded Postgres and of generated keys.")
  @Nullable String dataDir;

  @Option(
      names = "--limits",
      paramLabel = "FILE",
      description = "The limits (default: limits.yaml, if it is there).")
  @Nullable String limits;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Any other setting, as penstock config show names it; may be repeated.")
  Map<String, String> set = new LinkedHashMap<>();

  /** All settings; these flags go before environment and file. */
  Settings resolve(Map<Setting, String> more) {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    set.forEach((key, value) -> flags.put(setting(key), value));
    put(flags, Setting.LISTEN, listen);
    put(flags, Setting.DATA_DIR, dataDir);
    put(flags, Setting.LIMITS_FILE, limits);
    flags.putAll(more);
    return Settings.resolve(flags, System.getenv(), file());
  }

  private Optional<Path> file() {
    if (file == null) {
      return Optional.of(USUAL_FILE).filter(Files::exists);
    }
    if (!Files.exists(file)) {
      throw new ConfigException("--config: there is no file %s".formatted(file));
    }
    return Optional.of(file);
  }

  private static Setting setting(String key) {
    Setting setting = Setting.byKey().get(key);
    if (setting == null) {
      throw new ConfigException(
          "--set %s: unknown key; %s".formatted(key, Spelling.hint(key, Setting.byKey().keySet())));
    }
    if (setting.isSecret()) {
      throw new ConfigException(
          "--set %s: others can see flags; set %s or %s_FILE instead"
              .formatted(key, setting.variables().getFirst(), setting.variables().getFirst()));
    }
    return setting;
  }

  private static void put(Map<Setting, String> flags, Setting setting, @Nullable String value) {
    if (value != null) {
      flags.put(setting, value);
    }
  }
}
