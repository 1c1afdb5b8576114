package io.penstock.engine.recurring;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The five fields of a crontab (minute, hour, day of month, month, day of week; when both days are
 * restricted either will do), as a set of local times. Knows no zone. The library parses the text
 * and finds the days; the times of a day, which are the same on each, are asked for once, so that a
 * step within a day costs no call of it (ADR 079). Safe for use by many threads.
 */
public final class CronExpression {
  public static final int MOST_CHARS = 100;
  private static final Pattern CHARACTERS = Pattern.compile("[0-9A-Za-z*,/ -]+");
  private static final CronDefinition CRONTAB =
      CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);
  private static final int FIELDS = 5;

  /** A day from which to look for the first one that matches. */
  private static final LocalDate SOME_DAY = LocalDate.of(2000, 1, 1);

  /** What is later is never: the library stops looking there too. */
  private static final LocalDate LAST_DAY = LocalDate.of(2400, 1, 1);

  private final String text;
  private final ExecutionTime days;
  private final List<LocalTime> times;
  private volatile Asked asked = new Asked(LocalDate.MIN, LocalDate.MIN);

  /** The last question: the first matching day from {@code from} on; null = none. */
  private record Asked(LocalDate from, @Nullable LocalDate day) {}

  private CronExpression(String text, ExecutionTime days, List<LocalTime> times) {
    this.text = text;
    this.days = days;
    this.times = times;
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException that says what is wrong with it
   */
  public static CronExpression parse(String text) {
    String normal = text.strip().replaceAll(" +", " ");
    if (normal.length() > MOST_CHARS || !CHARACTERS.matcher(normal).matches()) {
      throw new IllegalArgumentException(
          "wanted five fields of digits, names, * , - and / in at most %d characters"
              .formatted(MOST_CHARS));
    }
    if (normal.split(" ", -1).length != FIELDS) {
      throw new IllegalArgumentException(
          "wanted five fields (minute, hour, day of month, month, day of week), got %d"
              .formatted(normal.split(" ", -1).length));
    }
    ExecutionTime parsed = ExecutionTime.forCron(new CronParser(CRONTAB).parse(normal));
    LocalDateTime first =
        ask(parsed, SOME_DAY.atStartOfDay().minusSeconds(1))
            .orElseThrow(() -> new IllegalArgumentException("it never comes: no such day exists"));
    List<LocalTime> times = new ArrayList<>();
    Optional<LocalDateTime> next = Optional.of(first);
    while (next.isPresent() && next.get().toLocalDate().equals(first.toLocalDate())) {
      times.add(next.get().toLocalTime());
      next = ask(parsed, next.get());
    }
    return new CronExpression(normal, parsed, List.copyOf(times));
  }

  /** The library knows zoned times only: in UTC every local time exists once. */
  private static Optional<LocalDateTime> ask(ExecutionTime parsed, LocalDateTime after) {
    return parsed
        .nextExecution(ZonedDateTime.of(after, ZoneOffset.UTC))
        .map(ZonedDateTime::toLocalDateTime)
        .filter(found -> found.toLocalDate().isBefore(LAST_DAY));
  }

  /** The text, with single blanks. */
  public String text() {
    return text;
  }

  /** Whether its hours are not set ones: their field begins with a star. */
  public boolean isEveryHour() {
    return text.split(" ", -1)[1].toLowerCase(Locale.ROOT).startsWith("*");
  }

  /** The first local time at or after this one; empty when there is none any more. */
  public Optional<LocalDateTime> from(LocalDateTime earliest) {
    LocalDate day = dayFrom(earliest.toLocalDate());
    if (day == null) {
      return Optional.empty();
    }
    if (day.isAfter(earliest.toLocalDate())) {
      return Optional.of(day.atTime(times.getFirst()));
    }
    int found = Collections.binarySearch(times, earliest.toLocalTime());
    int place = found < 0 ? -found - 1 : found;
    if (place < times.size()) {
      return Optional.of(day.atTime(times.get(place)));
    }
    LocalDate next = dayFrom(day.plusDays(1));
    return next == null ? Optional.empty() : Optional.of(next.atTime(times.getFirst()));
  }

  private @Nullable LocalDate dayFrom(LocalDate from) {
    Asked last = asked;
    LocalDate known = last.day();
    if (!from.isBefore(last.from()) && known != null && !from.isAfter(known)) {
      return known;
    }
    LocalDate found =
        ask(days, from.atStartOfDay().minusSeconds(1)).map(LocalDateTime::toLocalDate).orElse(null);
    asked = new Asked(from, found);
    return found;
  }
}
