package io.penstock.engine.recurring;

import io.penstock.engine.wave.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When a schedule comes: a set of instants, in whole seconds, each asked from the one before. */
public sealed interface Recurrence {

  /** The first instant after this one; empty when there is none any more. Pure. */
  Optional<Instant> next(Instant after);

  /**
   * At equal intervals of real time, whatever the clocks on walls do.
   *
   * @param every 1 s to 366 days, whole seconds
   * @param from one of the instants, and the first
   */
  record Every(Duration every, Instant from) implements Recurrence {
    public static final Duration LEAST = Duration.ofSeconds(1);
    public static final Duration MOST = Duration.ofDays(366);

    public Every {
      if (every.compareTo(LEAST) < 0 || every.compareTo(MOST) > 0 || every.toNanosPart() != 0) {
        throw new IllegalArgumentException(
            "every: wanted 1 s to 366 days in whole seconds, got %s".formatted(every));
      }
      from = from.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * From a stable place within the interval, so that a thousand schedules that were made together
     * do not come together.
     */
    public static Every spread(Duration every, String id) {
      long seconds = (long) (Phase.of("schedule", id) * every.toSeconds());
      return new Every(every, Instant.EPOCH.plusSeconds(seconds));
    }

    @Override
    public Optional<Instant> next(Instant after) {
      if (after.isBefore(from)) {
        return Optional.of(from);
      }
      long past = Math.floorDiv(ChronoUnit.SECONDS.between(from, after), every.toSeconds());
      return Optional.of(from.plusSeconds((past + 1) * every.toSeconds()));
    }
  }

  /** At local times of a zone. */
  record Cron(CronExpression expression, ZoneId zone, ClockChange onChange) implements Recurrence {
    private static final CronCache PARSED = new CronCache();

    /**
     * A stretch without a clock change is half a year; what does not come in 400 years never does.
     */
    private static final int MOST_STRETCHES = 1_000;

    /**
     * Of the text of an expression.
     *
     * @param onChange null = by its hours: {@link ClockChange#EVERY_HOUR} when they are not set
     *     ones, else {@link ClockChange#ONCE_A_DAY}
     * @throws IllegalArgumentException that says what is wrong with it
     */
    public static Cron of(String text, ZoneId zone, @Nullable ClockChange onChange) {
      CronExpression expression = PARSED.of(text.strip().replaceAll(" +", " "));
      return new Cron(expression, zone, onChange == null ? byHours(expression) : onChange);
    }

    /** What a clock change does to an expression when nobody says. */
    public static ClockChange byHours(CronExpression expression) {
      return expression.isEveryHour() ? ClockChange.EVERY_HOUR : ClockChange.ONCE_A_DAY;
    }

    /**
     * Goes along the stretches between two clock changes, in each of which local time runs evenly,
     * so that what comes is in order whatever the changes are: an hour, half an hour or a day.
     */
    @Override
    public Optional<Instant> next(Instant after) {
      ZoneRules rules = zone.getRules();
      Instant earliest = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
      for (int i = 0; i < MOST_STRETCHES; i++) {
        ZoneOffsetTransition end = rules.nextTransition(earliest.minusSeconds(1));
        if (end != null && end.getInstant().equals(earliest)) {
          if (isMadeUpAt(end)) {
            return Optional.of(earliest);
          }
          end = rules.nextTransition(earliest);
        }
        Optional<Instant> found = within(rules, earliest, end);
        if (found.isPresent() || end == null) {
          return found;
        }
        earliest = end.getInstant();
      }
      return Optional.empty();
    }

    /** The first that comes from {@code earliest} to before {@code end}, which is one stretch. */
    private Optional<Instant> within(
        ZoneRules rules, Instant earliest, @Nullable ZoneOffsetTransition end) {
      ZoneOffset offset = rules.getOffset(earliest);
      LocalDateTime from = LocalDateTime.ofInstant(earliest, offset);
      Optional<LocalDateTime> local = expression.from(from);
      while (local.isPresent()) {
        if (end != null && !local.get().isBefore(end.getDateTimeBefore())) {
          return Optional.empty();
        }
        if (isWanted(rules.getValidOffsets(local.get()), offset)) {
          return local.map(time -> time.toInstant(offset));
        }
        local = expression.from(local.get().plusSeconds(1));
      }
      return Optional.empty();
    }

    private boolean isWanted(List<ZoneOffset> valid, ZoneOffset offset) {
      if (valid.size() < 2) {
        return true;
      }
      return switch (onChange.repeat()) {
        case BOTH -> true;
        case FIRST -> valid.getFirst().equals(offset);
        case SECOND -> valid.getLast().equals(offset);
      };
    }

    private boolean isMadeUpAt(ZoneOffsetTransition change) {
      return change.isGap()
          && onChange.gap() == ClockChange.Gap.AFTER
          && expression
              .from(change.getDateTimeBefore())
              .filter(lost -> lost.isBefore(change.getDateTimeAfter()))
              .isPresent();
    }
  }
}
