package io.penstock.server.limits;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.server.json.Texts;
import io.penstock.server.spelling.Spelling;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.FaultyFileException;
import io.penstock.server.yaml.Yaml;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code limits.yaml}: whole or not at all, with everything that is wrong named at once, each
 * with file, line, column, key, value and what is wanted. Pure; for one reading.
 */
public final class LimitsReader {
  private static final String DEFAULTS = "defaults";
  private static final String DESTINATIONS = "destinations";
  private static final Set<String> TOP = Set.of(DEFAULTS, DESTINATIONS);

  private final List<Fault> faults = new ArrayList<>();

  private LimitsReader() {}

  /**
   * Reads a text.
   *
   * @param file its name, for messages
   * @throws FaultyFileException with all faults in the order of the file
   */
  public static LimitsDocument read(String file, String text) {
    LimitsReader reader = new LimitsReader();
    LimitsDocument document = reader.document(Yaml.parse(file, text));
    if (!reader.faults.isEmpty()) {
      reader.faults.sort(
          Comparator.comparingInt((Fault f) -> f.place().line())
              .thenComparingInt(f -> f.place().column()));
      throw new FaultyFileException(reader.faults);
    }
    return document;
  }

  private LimitsDocument document(Yaml.Mapping top) {
    top.entries()
        .forEach((key, entry) -> {
          if (!TOP.contains(key)) {
            unknownKey(entry, key, key, TOP);
          }
        });
    DestinationLimits defaults =
        mapping(top, DEFAULTS, DEFAULTS)
            .map(mapping -> limits(mapping, DEFAULTS, DestinationLimits.DEFAULT))
            .orElse(DestinationLimits.DEFAULT);
    Map<String, DestinationLimits> destinations = new LinkedHashMap<>();
    mapping(top, DESTINATIONS, DESTINATIONS)
        .ifPresent(all ->
            all.entries().keySet().forEach(id -> destination(all, id, defaults, destinations)));
    return new LimitsDocument(defaults, destinations);
  }

  private void destination(
      Yaml.Mapping all,
      String id,
      DestinationLimits defaults,
      Map<String, DestinationLimits> into) {
    String path = DESTINATIONS + "." + id;
    if (!Texts.ID.matcher(id).matches()) {
      fault(
          entry(all, id),
          path,
          "got %s, wanted a destination id: %s".formatted(id, Texts.ID_WORDS));
      return;
    }
    mapping(all, id, path).ifPresent(own -> into.put(id, limits(own, path, defaults)));
  }

  private DestinationLimits limits(Yaml.Mapping own, String path, DestinationLimits base) {
    DestinationLimits limits = base;
    for (var each : own.entries().entrySet()) {
      String at = path + "." + each.getKey();
      LimitKey key = LimitKey.byWord().get(each.getKey());
      if (key == null) {
        unknownKey(each.getValue(), at, each.getKey(), LimitKey.byWord().keySet());
        continue;
      }
      Optional<DestinationLimits> set =
          each.getValue().value() instanceof Yaml.Scalar scalar
              ? key.set(limits, scalar.text())
              : Optional.empty();
      if (set.isEmpty()) {
        faults.add(
            new Fault(
                each.getValue().value().place(),
                at,
                "got %s, wanted %s".formatted(shown(each.getValue().value()), key.allowed())));
      }
      limits = set.orElse(limits);
    }
    return limits;
  }

  private Optional<Yaml.Mapping> mapping(Yaml.Mapping parent, String key, String path) {
    Yaml.Entry entry = parent.entries().get(key);
    if (entry == null || isNothing(entry.value())) {
      return Optional.empty();
    }
    if (entry.value() instanceof Yaml.Mapping mapping) {
      return Optional.of(mapping);
    }
    fault(entry, path, "got %s, wanted limits below it".formatted(shown(entry.value())));
    return Optional.empty();
  }

  private static boolean isNothing(Yaml value) {
    return value instanceof Yaml.Scalar scalar && scalar.text().isEmpty();
  }

  private static Yaml.Entry entry(Yaml.Mapping mapping, String key) {
    return Objects.requireNonNull(mapping.entries().get(key));
  }

  private void unknownKey(Yaml.Entry entry, String path, String key, Set<String> known) {
    fault(entry, path, "unknown key; " + Spelling.hint(key, known));
  }

  private void fault(Yaml.Entry entry, String path, String message) {
    faults.add(new Fault(entry.keyPlace(), path, message));
  }

  private static String shown(Yaml value) {
    return switch (value) {
      case Yaml.Scalar scalar -> scalar.text().isEmpty() ? "nothing" : scalar.text();
      case Yaml.Items _ -> "a list";
      case Yaml.Mapping _ -> "keys and values";
    };
  }
}
