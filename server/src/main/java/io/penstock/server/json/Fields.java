package io.penstock.server.json;

import io.penstock.server.problem.FieldFault;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.spelling.Spelling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of one JSON object of a request, read strictly: an unknown field, a wrong type or a
 * value out of bounds is answered with the field, what was got and what is allowed. For one thread.
 */
public final class Fields {
  private final String path;
  private final ObjectNode object;

  Fields(String path, ObjectNode object) {
    this.path = path;
    this.object = object;
  }

  /** Refuses fields that are not among these. */
  public Fields only(Set<String> known) {
    for (String name : object.propertyNames()) {
      if (!known.contains(name)) {
        throw ProblemException.field(
            path + name, "an unknown field", "a known field (" + Spelling.hint(name, known) + ")");
      }
    }
    return this;
  }

  /** Where a field of this object stands in the request, for messages. */
  public String at(String name) {
    return path + name;
  }

  /** Whether the field is there and not null. */
  public boolean has(String name) {
    return object.hasNonNull(name);
  }

  /** A text that matches the pattern as a whole; {@code allowed} says so in words. */
  public String text(String name, Pattern pattern, String allowed) {
    return optionalText(name, pattern, allowed)
        .orElseThrow(() -> ProblemException.field(path + name, "nothing", allowed));
  }

  /** As {@link #text}, or empty when the field is missing or null. */
  public Optional<String> optionalText(String name, Pattern pattern, String allowed) {
    if (!has(name)) {
      return Optional.empty();
    }
    return Optional.of(checked(path + name, object.get(name), pattern, allowed));
  }

  /** Free text of people: no control characters, at most {@code most} characters. */
  public Optional<String> prose(String name, int most) {
    Optional<String> text =
        optionalText(name, Texts.ANY, "text of at most %,d characters".formatted(most));
    text.ifPresent(t -> {
      if (t.length() > most || !Texts.isPrintable(t)) {
        throw ProblemException.field(
            path + name,
            t.length() > most ? "%,d characters".formatted(t.length()) : t,
            "text of at most %,d characters without control characters".formatted(most));
      }
    });
    return text;
  }

  /** As {@link #prose}, and it must be there; {@code wanted} says for what. */
  public String requiredProse(String name, int most, String wanted) {
    return prose(name, most)
        .orElseThrow(() -> ProblemException.field(path + name, "nothing", wanted));
  }

  /** A list of texts; empty when the field is missing. */
  public List<String> texts(String name, int most, Pattern pattern, String allowed) {
    if (!has(name)) {
      return List.of();
    }
    JsonNode node = object.get(name);
    if (!node.isArray() || node.size() > most) {
      throw ProblemException.field(
          path + name,
          node.isArray() ? "%,d items".formatted(node.size()) : kind(node),
          "a list of at most %,d items".formatted(most));
    }
    List<String> out = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      out.add(checked("%s%s[%d]".formatted(path, name, i), node.get(i), pattern, allowed));
    }
    return out;
  }

  /** A map of texts, as written; empty when the field is missing. */
  public Map<String, String> map(String name, int most) {
    if (!has(name)) {
      return Map.of();
    }
    JsonNode node = object.get(name);
    if (!(node instanceof ObjectNode entries) || node.size() > most) {
      throw ProblemException.field(
          path + name,
          node.isObject() ? "%,d entries".formatted(node.size()) : kind(node),
          "an object of at most %,d texts".formatted(most));
    }
    Map<String, String> out = new LinkedHashMap<>();
    entries
        .properties()
        .forEach(e ->
            out.put(
                e.getKey(),
                checked(path + name + "." + e.getKey(), e.getValue(), Texts.ANY, "a text")));
    return out;
  }

  /** A whole number within these bounds; empty when the field is missing. */
  public Optional<Long> whole(String name, long least, long most) {
    if (!has(name)) {
      return Optional.empty();
    }
    JsonNode node = object.get(name);
    String allowed = "a whole number, %,d to %,d".formatted(least, most);
    if (!node.isIntegralNumber()) {
      throw ProblemException.field(path + name, kind(node), allowed);
    }
    if (!node.canConvertToLong() || node.longValue() < least || node.longValue() > most) {
      throw ProblemException.field(path + name, node.asString(""), allowed);
    }
    return Optional.of(node.longValue());
  }

  /** A truth value; false when the field is missing. */
  public boolean flag(String name) {
    if (!has(name)) {
      return false;
    }
    JsonNode node = object.get(name);
    if (!node.isBoolean()) {
      throw ProblemException.field(path + name, kind(node), "true or false");
    }
    return node.booleanValue();
  }

  /** A number of seconds within bounds, fractions allowed; empty when the field is missing. */
  public Optional<Duration> seconds(String name, double least, double most) {
    if (!has(name)) {
      return Optional.empty();
    }
    String allowed = "%s to %s seconds".formatted(least, most);
    JsonNode node = object.get(name);
    double value = node.isNumber() ? node.doubleValue() : Double.NaN;
    if (!(value >= least && value <= most)) {
      throw ProblemException.field(
          path + name, node.isNumber() ? FieldFault.shown(node.toString()) : kind(node), allowed);
    }
    return Optional.of(Duration.ofNanos(Math.round(value * 1e9)));
  }

  /** A UUID, which must be there. */
  public UUID uuid(String name) {
    return UUID.fromString(
        text(name, Texts.UUID_TEXT, "a UUID, for instance 0199c0de-0000-7000-8000-000000000000")
            .toLowerCase(Locale.ROOT));
  }

  /** A list of objects, one at least. */
  public List<Fields> objects(String name, int most) {
    String allowed = "a list of 1 to %,d objects".formatted(most);
    JsonNode node = has(name) ? object.get(name) : null;
    if (node == null || !node.isArray() || node.isEmpty() || node.size() > most) {
      throw ProblemException.field(
          path + name,
          node == null
              ? "nothing"
              : node.isArray() ? "%,d items".formatted(node.size()) : kind(node),
          allowed);
    }
    List<Fields> items = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      String at = "%s%s[%d]".formatted(path, name, i);
      if (!(node.get(i) instanceof ObjectNode item)) {
        throw ProblemException.field(at, kind(node.get(i)), "an object");
      }
      items.add(new Fields(at + ".", item));
    }
    return items;
  }

  /** A whole number within bounds, or {@code otherwise} when the field is missing. */
  public int integer(String name, int least, int most, int otherwise) {
    return has(name) ? integer(path + name, object.get(name), least, most) : otherwise;
  }

  /** A list of whole numbers within bounds; empty when the field is missing. */
  public List<Integer> integers(String name, int mostItems, int least, int most) {
    if (!has(name)) {
      return List.of();
    }
    JsonNode node = object.get(name);
    if (!node.isArray() || node.size() > mostItems) {
      throw ProblemException.field(
          path + name,
          node.isArray() ? "%,d items".formatted(node.size()) : kind(node),
          "a list of at most %,d whole numbers".formatted(mostItems));
    }
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      out.add(integer("%s%s[%d]".formatted(path, name, i), node.get(i), least, most));
    }
    return out;
  }

  /** An object within this one; without fields when it is missing. */
  public Fields object(String name) {
    if (!has(name)) {
      return new Fields(path + name + ".", object.objectNode());
    }
    if (!(object.get(name) instanceof ObjectNode inner)) {
      throw ProblemException.field(path + name, kind(object.get(name)), "an object");
    }
    return new Fields(path + name + ".", inner);
  }

  private static int integer(String at, JsonNode node, int least, int most) {
    String allowed = "a whole number from %,d to %,d".formatted(least, most);
    if (!node.isIntegralNumber()) {
      throw ProblemException.field(at, kind(node), allowed);
    }
    if (!node.canConvertToInt() || node.intValue() < least || node.intValue() > most) {
      throw ProblemException.field(at, node.toString(), allowed);
    }
    return node.intValue();
  }

  private static String checked(String at, JsonNode node, Pattern pattern, String allowed) {
    if (!node.isString()) {
      throw ProblemException.field(at, kind(node), allowed);
    }
    String text = node.stringValue();
    if (!pattern.matcher(text).matches()) {
      throw ProblemException.field(at, text.isEmpty() ? "an empty text" : text, allowed);
    }
    return text;
  }

  private static String kind(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "a list";
      case OBJECT, POJO -> "an object";
      case BOOLEAN -> "a truth value";
      case NUMBER -> "a number";
      case NULL, MISSING -> "nothing";
      case STRING, BINARY -> "a text";
    };
  }
}
