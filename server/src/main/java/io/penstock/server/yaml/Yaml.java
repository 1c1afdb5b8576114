package io.penstock.server.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A YAML file as a tree of values that know where they stand. Never constructs objects. */
public sealed interface Yaml {

  /** The most characters that a file of ours may have: a hundred thousand destinations. */
  int MOST_CHARS = 16 << 20;

  /** Deeper than any file of ours; what composes the nodes calls itself once per level. */
  int MOST_LEVELS = 32;

  /** Where the value begins. */
  Place place();

  /** One value as it is written, without quotes; empty text for nothing. */
  record Scalar(Place place, String text) implements Yaml {}

  /** A list. */
  record Items(Place place, List<Yaml> items) implements Yaml {}

  /** A mapping in the order of the file. */
  record Mapping(Place place, Map<String, Entry> entries) implements Yaml {}

  /** One entry of a mapping; {@code keyPlace} is where its key stands. */
  record Entry(Place keyPlace, Yaml value) {}

  /**
   * Reads a text; an empty one is an empty mapping.
   *
   * @param file its name, for messages
   * @throws FaultyFileException when it is no YAML, has a key twice, uses aliases, or its top is no
   *     mapping
   */
  static Mapping parse(String file, String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(file).setCodePointLimit(MOST_CHARS).build();
    Optional<Node> root;
    try {
      checkDepth(file, settings, text);
      root = new Compose(settings).composeString(text);
    } catch (MarkedYamlEngineException e) {
      throw fault(place(file, e.getProblemMark()), "not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw fault(new Place(file, 1, 1), "not YAML: " + e.getMessage());
    }
    if (root.isEmpty()) {
      return new Mapping(new Place(file, 1, 1), Map.of());
    }
    if (of(file, root.get()) instanceof Mapping mapping) {
      return mapping;
    }
    throw fault(place(file, root.get().getStartMark()), "wanted keys and values");
  }

  /** Reads the events only, which costs no stack however deep they nest. */
  private static void checkDepth(String file, LoadSettings settings, String text) {
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> depth++;
        case MappingEnd, SequenceEnd -> depth--;
        default -> {}
      }
      if (depth > MOST_LEVELS) {
        throw fault(
            place(file, event.getStartMark()),
            "more than %d levels below each other".formatted(MOST_LEVELS));
      }
    }
  }

  private static Yaml of(String file, Node node) {
    Place place = place(file, node.getStartMark());
    if (node.isRecursive() || node.getAnchor().isPresent()) {
      throw fault(place, "anchors and aliases are not used here; write it out");
    }
    return switch (node) {
      case ScalarNode scalar ->
          new Scalar(place, scalar.getTag().equals(Tag.NULL) ? "" : scalar.getValue());
      case SequenceNode sequence -> {
        List<Yaml> items = new ArrayList<>();
        sequence.getValue().forEach(item -> items.add(of(file, item)));
        yield new Items(place, items);
      }
      case MappingNode mapping -> mapping(file, place, mapping);
      default -> throw fault(place, "an alias is not used here; write it out");
    };
  }

  private static Mapping mapping(String file, Place place, MappingNode mapping) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Place keyPlace = place(file, tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw fault(keyPlace, "wanted a plain key");
      }
      Entry entry = new Entry(keyPlace, of(file, tuple.getValueNode()));
      Entry before = entries.putIfAbsent(key.getValue(), entry);
      if (before != null) {
        throw fault(
            keyPlace,
            "the key %s stands in line %d already"
                .formatted(key.getValue(), before.keyPlace.line()));
      }
    }
    return new Mapping(place, entries);
  }

  private static Place place(String file, Optional<Mark> mark) {
    return mark.isEmpty()
        ? new Place(file, 1, 1)
        : new Place(file, mark.get().getLine() + 1, mark.get().getColumn() + 1);
  }

  private static FaultyFileException fault(Place place, String message) {
    return new FaultyFileException(List.of(new Fault(place, "", message)));
  }
}
