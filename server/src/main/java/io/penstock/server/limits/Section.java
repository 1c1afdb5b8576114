package io.penstock.server.limits;

import io.penstock.server.json.Texts;
import io.penstock.server.spelling.Spelling;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.Quantities;
import io.penstock.server.yaml.Yaml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys below one place of the file. Each method reads one key, or leaves the value that holds
 * without it; what cannot be read is told to {@code faults} and leaves that value too. Keys that
 * nobody asked for are told by {@link #end}. For one reading by one thread.
 */
final class Section {
  /** Stands for "there is no such limit". */
  static final String NONE = "none";

  private static final String OFF = "off";
  private static final String ON = "on";

  /** Longer texts are cut in messages: a file may hold anything. */
  private static final int MOST_SHOWN = 60;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,15}");

  private final Yaml.Mapping mapping;
  private final String path;
  private final Consumer<Fault> faults;
  private final Set<String> asked = new LinkedHashSet<>();

  Section(Yaml.Mapping mapping, String path, Consumer<Fault> faults) {
    this.mapping = mapping;
    this.path = path;
    this.faults = faults;
  }

  /** The keys that are there, in the order of the file. */
  Set<String> keys() {
    return mapping.entries().keySet();
  }

  /** A number with or without a fraction. */
  double number(String key, double otherwise, double least, double most, String unit) {
    return value(
        key,
        otherwise,
        text -> number(text).filter(n -> n >= least && n <= most),
        "%s to %s %s".formatted(plain(least), plain(most), unit));
  }

  /** A number, or none. */
  @Nullable Double numberOrNone(
      String key, @Nullable Double otherwise, double least, double most, String unit) {
    return orNone(
        key,
        otherwise,
        text -> number(text).filter(n -> n >= least && n <= most),
        "%s to %s %s".formatted(plain(least), plain(most), unit));
  }

  /** A whole number. */
  int whole(String key, int otherwise, int least, int most, String unit) {
    return value(
        key,
        otherwise,
        text -> whole(text, least, most).map(Long::intValue),
        "%,d to %,d %s".formatted(least, most, unit));
  }

  /** A whole number that may be large. */
  long large(String key, long otherwise, long least, long most, String unit) {
    return value(
        key,
        otherwise,
        text -> whole(text, least, most),
        "%,d to %,d %s".formatted(least, most, unit));
  }

  /** A whole number, or none. */
  @Nullable Long largeOrNone(
      String key, @Nullable Long otherwise, long least, long most, String unit) {
    return orNone(
        key,
        otherwise,
        text -> whole(text, least, most),
        "%,d to %,d %s".formatted(least, most, unit));
  }

  /** A whole number, or none. */
  @Nullable Integer wholeOrNone(
      String key, @Nullable Integer otherwise, int least, int most, String unit) {
    Long found =
        largeOrNone(key, otherwise == null ? null : otherwise.longValue(), least, most, unit);
    return found == null ? null : found.intValue();
  }

  /** A duration. */
  Duration duration(String key, Duration otherwise, Duration least, Duration most) {
    return value(
        key,
        otherwise,
        text -> within(text, least, most),
        "%s to %s, as %s".formatted(text(least), text(most), Quantities.DURATION_WORDS));
  }

  /** A duration, or none. */
  @Nullable Duration durationOrNone(
      String key, @Nullable Duration otherwise, Duration least, Duration most) {
    return orNone(
        key,
        otherwise,
        text -> within(text, least, most),
        "%s to %s, as %s".formatted(text(least), text(most), Quantities.DURATION_WORDS));
  }

  /** One of the words of an enum. */
  <E extends Enum<E>> E word(String key, E otherwise, Class<E> words) {
    return value(key, otherwise, text -> wordOf(text, words), wordsOf(words));
  }

  /** On or off. */
  boolean flag(String key, boolean otherwise) {
    return value(
        key,
        otherwise,
        text ->
            switch (text) {
              case ON, "true" -> Optional.of(true);
              case OFF, "false" -> Optional.of(false);
              default -> Optional.empty();
            },
        "on or off");
  }

  /** Any value that a parser knows. */
  <T> T value(String key, T otherwise, Function<String, Optional<T>> parser, String wanted) {
    Yaml.Entry entry = ask(key);
    if (entry == null) {
      return otherwise;
    }
    Optional<T> found =
        entry.value() instanceof Yaml.Scalar scalar
            ? parser.apply(scalar.text())
            : Optional.empty();
    if (found.isEmpty()) {
      wrong(entry, key, wanted);
    }
    return found.orElse(otherwise);
  }

  private <T> @Nullable T orNone(
      String key, @Nullable T otherwise, Function<String, Optional<T>> parser, String wanted) {
    if (says(key, NONE)) {
      return null;
    }
    Yaml.Entry entry = ask(key);
    if (entry == null) {
      return otherwise;
    }
    Optional<T> found =
        entry.value() instanceof Yaml.Scalar scalar
            ? parser.apply(scalar.text())
            : Optional.empty();
    if (found.isPresent()) {
      return found.get();
    }
    wrong(entry, key, wanted + ", or none");
    return otherwise;
  }

  /** Whether this word stands at the key. */
  boolean says(String key, String word) {
    Yaml.Entry entry = ask(key);
    return entry != null
        && entry.value() instanceof Yaml.Scalar scalar
        && scalar.text().equals(word);
  }

  /**
   * Ids in a list, or one word that stands for all of them; empty when the key is missing or is
   * that word.
   */
  List<String> ids(String key, String all) {
    Yaml.Entry entry = ask(key);
    if (entry == null || says(key, all)) {
      return List.of();
    }
    if (!(entry.value() instanceof Yaml.Items items)) {
      wrong(entry, key, "a list of ids, or " + all);
      return List.of();
    }
    List<String> ids = new ArrayList<>();
    for (Yaml item : items.items()) {
      if (item instanceof Yaml.Scalar scalar && Texts.ID.matcher(scalar.text()).matches()) {
        ids.add(scalar.text());
      } else {
        faults.accept(
            new Fault(
                item.place(),
                at(key),
                "got %s, wanted an id: %s".formatted(shown(item), Texts.ID_WORDS)));
      }
    }
    return ids;
  }

  /** The keys below a key; empty when it is missing or has nothing below it. */
  Optional<Section> below(String key) {
    Yaml.Entry entry = ask(key);
    if (entry == null) {
      return Optional.empty();
    }
    return switch (entry.value()) {
      case Yaml.Mapping mapping -> Optional.of(new Section(mapping, at(key), faults));
      case Yaml.Scalar scalar when scalar.text().isEmpty() -> Optional.empty();
      case Yaml.Scalar _, Yaml.Items _ -> {
        faults.accept(
            new Fault(
                entry.keyPlace(),
                at(key),
                "got %s, wanted keys below it".formatted(shown(entry.value()))));
        yield Optional.empty();
      }
    };
  }

  /** Every key is an id, with keys below it; {@code what} says of what, for messages. */
  <T> Map<String, T> byId(String what, Function<Section, T> reader, Supplier<T> empty) {
    Map<String, T> found = new LinkedHashMap<>();
    for (String id : keys()) {
      if (Texts.ID.matcher(id).matches()) {
        found.put(id, below(id).map(reader).orElseGet(empty));
      } else {
        fault(id, "got %s, wanted the id of a %s: %s".formatted(shown(id), what, Texts.ID_WORDS));
      }
    }
    return found;
  }

  /** What a record's own checks say about a combination of values that are each allowed. */
  <T> T checked(T otherwise, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      faults.accept(new Fault(mapping.place(), path, String.valueOf(e.getMessage())));
      return otherwise;
    }
  }

  /** Tells a fault at a key. */
  void fault(String key, String message) {
    Yaml.Entry entry = ask(key);
    faults.accept(new Fault(entry == null ? mapping.place() : entry.keyPlace(), at(key), message));
  }

  /** Tells the keys that nobody knows. */
  void end() {
    mapping
        .entries()
        .forEach((key, entry) -> {
          if (!asked.contains(key)) {
            faults.accept(
                new Fault(
                    entry.keyPlace(),
                    at(key),
                    "unknown key; " + Spelling.hint(clipped(key), asked)));
          }
        });
  }

  private Yaml.@Nullable Entry ask(String key) {
    asked.add(key);
    return mapping.entries().get(key);
  }

  private void wrong(Yaml.Entry entry, String key, String wanted) {
    faults.accept(
        new Fault(
            entry.value().place(),
            at(key),
            "got %s, wanted %s".formatted(shown(entry.value()), wanted)));
  }

  private String at(String key) {
    return path.isEmpty() ? clipped(key) : path + "." + clipped(key);
  }

  private static Optional<Double> number(String text) {
    return NUMBER.matcher(text).matches() ? Optional.of(Double.valueOf(text)) : Optional.empty();
  }

  private static Optional<Long> whole(String text, long least, long most) {
    return Optional.of(text)
        .filter(t -> WHOLE.matcher(t).matches())
        .map(Long::valueOf)
        .filter(n -> n >= least && n <= most);
  }

  private static Optional<Duration> within(String text, Duration least, Duration most) {
    return Quantities.duration(text).filter(d -> d.compareTo(least) >= 0 && d.compareTo(most) <= 0);
  }

  static <E extends Enum<E>> Optional<E> wordOf(String text, Class<E> words) {
    for (E word : words.getEnumConstants()) {
      if (word.name().toLowerCase(Locale.ROOT).equals(text)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  static <E extends Enum<E>> String wordsOf(Class<E> words) {
    List<String> all = new ArrayList<>();
    for (E word : words.getEnumConstants()) {
      all.add(word.name().toLowerCase(Locale.ROOT));
    }
    String last = all.removeLast();
    return all.isEmpty() ? last : String.join(", ", all) + " or " + last;
  }

  /** A number as people write it. */
  static String plain(double number) {
    return number == Math.rint(number) ? "%,.0f".formatted(number) : Double.toString(number);
  }

  /** A duration as the file writes it. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0 || millis == 0) {
      return millis == 0 ? "0s" : millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  static String shown(Yaml value) {
    return switch (value) {
      case Yaml.Scalar scalar -> shown(scalar.text());
      case Yaml.Items _ -> "a list";
      case Yaml.Mapping _ -> "keys and values";
    };
  }

  private static String shown(String text) {
    return text.isEmpty() ? "nothing" : clipped(text);
  }

  /** Fit for a line of a terminal, whatever the file holds. */
  private static String clipped(String text) {
    String printable =
        text.codePoints()
            .limit(MOST_SHOWN)
            .collect(
                StringBuilder::new,
                (out, c) -> out.appendCodePoint(Texts.isPrintable(Character.toString(c)) ? c : '?'),
                StringBuilder::append)
            .toString();
    return text.length() > printable.length() ? printable + "..." : printable;
  }
}
