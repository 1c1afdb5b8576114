package io.penstock.server.limits;

import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys that this version reads, checks and keeps, and that nothing obeys yet. Whoever makes one
 * of them work takes it off here. A file that has one loads, and is told so.
 */
final class NotInForce {
  /** Keys at the top of the file. */
  private static final Set<String> TOP = Set.of();

  /** Keys of a destination, and of the defaults. */
  private static final Set<String> OF_DESTINATION = Set.of();

  private static final String MESSAGE = "read and kept, but nothing obeys it in this version";

  private NotInForce() {}

  static List<Fault> notes(Yaml.Mapping top) {
    List<Fault> notes = new ArrayList<>();
    for (Map.Entry<String, Yaml.Entry> each : top.entries().entrySet()) {
      String key = each.getKey();
      if (TOP.contains(key)) {
        notes.add(new Fault(each.getValue().keyPlace(), key, MESSAGE));
      } else if (each.getValue().value() instanceof Yaml.Mapping below) {
        if (key.equals("defaults")) {
          ofDestination(key, below, notes);
        } else if (key.equals("destinations")) {
          below
              .entries()
              .forEach((id, entry) -> {
                if (entry.value() instanceof Yaml.Mapping own
                    && notes.size() < LimitsReader.MOST_FAULTS) {
                  ofDestination(key + "." + id, own, notes);
                }
              });
        }
      }
    }
    return notes;
  }

  private static void ofDestination(String path, Yaml.Mapping own, List<Fault> notes) {
    own.entries()
        .forEach((key, entry) -> {
          if (OF_DESTINATION.contains(key)) {
            notes.add(new Fault(entry.keyPlace(), path + "." + key, MESSAGE));
          }
        });
  }
}
