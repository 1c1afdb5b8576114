package io.penstock.server.recurring;

import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.CatchUp.Missed;
import io.penstock.engine.recurring.ClockChange;
import io.penstock.engine.recurring.ClockChange.Gap;
import io.penstock.engine.recurring.ClockChange.Repeat;
import io.penstock.engine.recurring.CronExpression;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Template;
import io.penstock.server.event.Windows;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.yaml.Quantities;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads when a schedule comes, and what is made up; its event is read elsewhere. */
final class ScheduleRequest {
  static final Set<String> KNOWN =
      Set.of(
          "id",
          "every",
          "from",
          "cron",
          "zone",
          "on_gap",
          "on_repeat",
          "catch_up",
          "over",
          "items",
          "event",
          "reason");

  private static final String EVERY_WORDS = "1s to 366d, as " + Quantities.DURATION_WORDS;
  private static final String CRON_WORDS =
      "five fields of a crontab: minute, hour, day of month, month, day of week";
  private static final String ZONE_WORDS =
      "a zone of the time zone database, for instance Europe/Berlin or UTC";
  private static final String TIME_WORDS = "a time, for instance 2026-11-30T12:00:00Z";
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private ScheduleRequest() {}

  /** When it comes. */
  static Recurrence recurrence(Fields fields, String id) {
    if (fields.has("every") == fields.has("cron")) {
      throw ProblemException.field(
          fields.has("every") ? "cron" : "every",
          fields.has("every") ? "every and cron" : "nothing",
          "either every (an interval) or cron (with zone)");
    }
    return fields.has("every") ? every(fields, id) : cron(fields);
  }

  private static Recurrence every(Fields fields, String id) {
    for (String only : List.of("zone", "on_gap", "on_repeat")) {
      if (fields.has(only)) {
        throw ProblemException.field(
            only, "it with every", "it with cron only: intervals know no zone");
      }
    }
    Duration every = duration(fields, "every", EVERY_WORDS).orElseThrow();
    boolean fits =
        every.compareTo(Recurrence.Every.LEAST) >= 0
            && every.compareTo(Recurrence.Every.MOST) <= 0
            && every.toNanosPart() == 0;
    if (!fits) {
      throw ProblemException.field("every", words(every), EVERY_WORDS + ", in whole seconds");
    }
    return fields
        .optionalText("from", Texts.ANY, TIME_WORDS)
        .map(text -> (Recurrence) new Recurrence.Every(every, time(text)))
        .orElseGet(() -> Recurrence.Every.spread(every, id));
  }

  private static Instant time(String text) {
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Told below, as any other text that is no such time.
    }
    throw ProblemException.field("from", text, TIME_WORDS + ", from 2000 to 2199");
  }

  private static Recurrence cron(Fields fields) {
    if (fields.has("from")) {
      throw ProblemException.field("from", "it with cron", "it with every only");
    }
    String text = fields.text("cron", Texts.ANY, CRON_WORDS);
    String zone = fields.text("zone", Texts.ANY, ZONE_WORDS);
    if (!ZoneId.getAvailableZoneIds().contains(zone)) {
      throw ProblemException.field("zone", zone, ZONE_WORDS);
    }
    try {
      Recurrence.Cron cron = Recurrence.Cron.of(text, ZoneId.of(zone), null);
      ClockChange byHours = cron.onChange();
      return new Recurrence.Cron(
          cron.expression(),
          cron.zone(),
          new ClockChange(
              one(fields, "on_gap", Gap.class).orElse(byHours.gap()),
              one(fields, "on_repeat", Repeat.class).orElse(byHours.repeat())));
    } catch (IllegalArgumentException e) {
      throw ProblemException.field(
          "cron",
          text,
          "%s, at most %d characters (%s)"
              .formatted(CRON_WORDS, CronExpression.MOST_CHARS, e.getMessage()));
    }
  }

  /** What is made up after an outage. */
  static CatchUp catchUp(Fields fields) {
    Fields inner = fields.object("catch_up").only(Set.of("within", "missed"));
    String allowed = "1m to 31d, as " + Quantities.DURATION_WORDS;
    Duration within = duration(inner, "within", allowed).orElse(CatchUp.DEFAULT.within());
    if (within.compareTo(CatchUp.LEAST) < 0 || within.compareTo(CatchUp.MOST) > 0) {
      throw ProblemException.field("catch_up.within", words(within), allowed);
    }
    return new CatchUp(
        Duration.ofSeconds(within.toSeconds()),
        one(inner, "missed", Missed.class).orElse(CatchUp.DEFAULT.missed()));
  }

  /** What its events are about: one each. */
  static List<String> items(Fields fields, @Nullable String ofEvent) {
    List<String> items =
        fields.texts("items", Template.MOST_ITEMS, Texts.ANY, Texts.ITEM_WORDS).stream()
            .distinct()
            .toList();
    items.stream()
        .filter(item -> !Texts.isItem(item))
        .findFirst()
        .ifPresent(item -> {
          throw ProblemException.field("items", item, Texts.ITEM_WORDS);
        });
    if (ofEvent != null && !items.isEmpty()) {
      throw ProblemException.field("event.item", ofEvent, "either items or event.item");
    }
    return ofEvent == null ? items : List.of(ofEvent);
  }

  /** The window of its waves; null = none. */
  static @Nullable Duration over(Fields fields, List<String> items) {
    Duration over =
        fields
            .optionalText("over", Texts.ANY, Windows.WORDS)
            .map(text -> Windows.read("over", text))
            .orElse(null);
    if (over != null && items.isEmpty()) {
      throw ProblemException.field(
          "over",
          "it without items",
          "items (or event.item): each has its place in the window, the same each time");
    }
    return over;
  }

  /** A length of time; empty when the field is missing. */
  static Optional<Duration> duration(Fields fields, String name, String allowed) {
    return fields
        .optionalText(name, Texts.ANY, allowed)
        .map(text ->
            Quantities.duration(text)
                .orElseThrow(() -> ProblemException.field(fields.at(name), text, allowed)));
  }

  private static <E extends Enum<E>> Optional<E> one(Fields fields, String name, Class<E> type) {
    List<String> words = Arrays.stream(type.getEnumConstants()).map(ScheduleRequest::word).toList();
    Pattern pattern = Pattern.compile(words.stream().collect(Collectors.joining("|")));
    return fields
        .optionalText(name, pattern, "one of " + String.join(", ", words))
        .map(word -> Enum.valueOf(type, word.toUpperCase(Locale.ROOT)));
  }

  /** The word of a constant. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** A length of time as it is written in requests, in the largest unit that fits. */
  static String words(Duration length) {
    long millis = length.toMillis();
    @Nullable String found = null;
    for (Unit unit : Unit.values()) {
      found = found == null && millis % unit.millis == 0 ? millis / unit.millis + unit.word : found;
    }
    return String.valueOf(found);
  }

  private enum Unit {
    DAYS(86_400_000, "d"),
    HOURS(3_600_000, "h"),
    MINUTES(60_000, "m"),
    SECONDS(1_000, "s"),
    MILLIS(1, "ms");

    final long millis;
    final String word;

    Unit(long millis, String word) {
      this.millis = millis;
      this.word = word;
    }
  }
}
