package io.penstock.server.config;

import io.penstock.server.spelling.Spelling;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.FaultyFileException;
import io.penstock.server.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The settings as they were written, each with where it came from: flag before environment before
 * file before default. Immutable.
 */
public final class Settings {
  private final Map<Setting, Value> values;

  private Settings(Map<Setting, Value> values) {
    this.values = values;
  }

  /**
   * One value.
   *
   * @param source in words, for instance {@code environment PENSTOCK_LISTEN}
   */
  public record Value(String text, String source) {
    static final String DEFAULT = "default";

    /** Whether nobody set it. */
    public boolean isDefault() {
      return source.equals(DEFAULT);
    }
  }

  /**
   * Resolves all settings.
   *
   * @param flags what the command line says, by setting
   * @param environment usually {@code System.getenv()}
   * @param file penstock.yaml; empty = there is none
   * @throws FaultyFileException when the file is at fault
   * @throws ConfigException when the environment is
   */
  public static Settings resolve(
      Map<Setting, String> flags, Map<String, String> environment, Optional<Path> file) {
    Map<Setting, Value> values = new EnumMap<>(Setting.class);
    Map<Setting, Value> written = file.map(Settings::read).orElseGet(Map::of);
    for (Setting setting : Setting.values()) {
      String flag = flags.get(setting);
      Value value =
          flag != null
              ? new Value(flag, "flag")
              : fromEnvironment(setting, environment)
                  .or(() -> Optional.ofNullable(written.get(setting)))
                  .orElseGet(() -> new Value(setting.fallback(), Value.DEFAULT));
      values.put(setting, value);
    }
    return new Settings(values);
  }

  /** The value of a setting. */
  public Value get(Setting setting) {
    return Objects.requireNonNull(values.get(setting));
  }

  /** The value as it may be shown: a secret without what is secret about it. */
  public String shown(Setting setting) {
    String text = get(setting).text();
    return setting.isSecret() ? DatabaseUrl.masked(text) : text;
  }

  private static Optional<Value> fromEnvironment(Setting setting, Map<String, String> environment) {
    for (String name : setting.variables()) {
      String text = environment.get(name);
      String fileName = setting.isSecret() ? environment.get(name + "_FILE") : null;
      if (text != null && fileName != null) {
        throw new ConfigException(
            "both %s and %s_FILE are set; set one of them".formatted(name, name));
      }
      if (text != null) {
        return Optional.of(new Value(text, "environment " + name));
      }
      if (fileName != null) {
        return Optional.of(
            new Value(content(name, fileName), "file %s (%s_FILE)".formatted(fileName, name)));
      }
    }
    return Optional.empty();
  }

  private static String content(String name, String fileName) {
    try {
      return Files.readString(Path.of(fileName)).strip();
    } catch (IOException e) {
      throw new ConfigException(
          "%s_FILE names %s, which cannot be read: %s".formatted(name, fileName, e), e);
    }
  }

  private static Map<Setting, Value> read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new ConfigException("%s cannot be read: %s".formatted(file, e), e);
    }
    Map<Setting, Value> found = new EnumMap<>(Setting.class);
    List<Fault> faults = new ArrayList<>();
    flatten("", Yaml.parse(file.toString(), text), found, faults);
    if (!faults.isEmpty()) {
      throw new FaultyFileException(faults);
    }
    return found;
  }

  private static void flatten(
      String prefix, Yaml.Mapping mapping, Map<Setting, Value> found, List<Fault> faults) {
    mapping
        .entries()
        .forEach((name, entry) -> {
          String key = prefix + name;
          Setting setting = Setting.byKey().get(key);
          String source = "file " + entry.keyPlace();
          switch (entry.value()) {
            case Yaml.Mapping below when setting == null && isGroup(key) ->
                flatten(key + ".", below, found, faults);
            case Yaml.Scalar scalar when setting != null ->
                found.put(setting, new Value(scalar.text(), source));
            case Yaml.Items items when setting != null ->
                found.put(setting, new Value(joined(items), source));
            case Yaml.Scalar _, Yaml.Items _, Yaml.Mapping _ ->
                faults.add(new Fault(entry.keyPlace(), key, complaint(key, setting != null)));
          }
        });
  }

  private static String complaint(String key, boolean known) {
    return known
        ? "wanted one value or a list"
        : "unknown key; " + Spelling.hint(key, Setting.byKey().keySet());
  }

  private static boolean isGroup(String key) {
    return Setting.byKey().keySet().stream().anyMatch(known -> known.startsWith(key + "."));
  }

  private static String joined(Yaml.Items items) {
    return items.items().stream()
        .map(item -> item instanceof Yaml.Scalar scalar ? scalar.text() : "")
        .collect(Collectors.joining(","));
  }
}
