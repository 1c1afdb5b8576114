package io.penstock.budget.quota;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * A provider's quota. Checks itself.
 *
 * @param per the calendar window
 * @param zone the provider's zone, whose rules say when a day begins (days of 23 and 25 hours
 *     included)
 * @param limit how many per window, 1 to 1,000,000,000,000
 * @param reserveInteractive the share that batch work may not touch, 0 to 1; released linearly in
 *     the last tenth of the window
 */
public record QuotaSettings(Per per, ZoneId zone, long limit, double reserveInteractive) {
  /** More than the greatest rate can send in a month. */
  private static final long MAX_LIMIT = 1_000_000_000_000L;

  /** The calendar windows that providers count by. */
  public enum Per {
    DAY,
    MONTH
  }

  /** A window: from its first instant to before the first of the next. */
  public record Window(Instant start, Instant end) {}

  public QuotaSettings {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException(
          "quota limit is %s, wanted 1 to %s".formatted(limit, MAX_LIMIT));
    }
    if (!(reserveInteractive >= 0 && reserveInteractive <= 1)) {
      throw new IllegalArgumentException(
          "reserve_interactive is %s, wanted 0 to 1".formatted(reserveInteractive));
    }
  }

  /** The window that {@code now} lies in. */
  public Window windowAt(Instant now) {
    LocalDate today = now.atZone(zone).toLocalDate();
    return switch (per) {
      case DAY -> window(today, today.plusDays(1));
      case MONTH -> window(today.withDayOfMonth(1), today.withDayOfMonth(1).plusMonths(1));
    };
  }

  private Window window(LocalDate first, LocalDate next) {
    return new Window(first.atStartOfDay(zone).toInstant(), next.atStartOfDay(zone).toInstant());
  }
}
