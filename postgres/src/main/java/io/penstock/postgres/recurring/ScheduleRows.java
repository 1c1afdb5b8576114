package io.penstock.postgres.recurring;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.CatchUp.Missed;
import io.penstock.engine.recurring.ClockChange;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Template;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Headers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of {@code penstock.schedule} and {@code penstock.schedule_firing}. */
final class ScheduleRows {
  private ScheduleRows() {}

  static Schedule schedule(ResultSet row) throws SQLException {
    String id = row.getString("schedule_id");
    return new Schedule(
        id,
        row.getString("tenant_id"),
        recurrence(row),
        new CatchUp(
            Duration.ofSeconds(row.getInt("catch_up_seconds")),
            Missed.valueOf(constant(row, "missed"))),
        new Template(
            row.getString("type"),
            row.getString("content_type"),
            Headers.parse(row.getString("headers")),
            row.getBytes("body"),
            Urgency.ofCode(row.getInt("urgency")),
            Bind.strings(row.getArray("destination_ids")),
            Bind.strings(row.getArray("items")),
            over(row)),
        row.getBoolean("paused"),
        Bind.instantOrNull(row, "next_at"),
        new Schedule.Counts(
            row.getLong("fired"),
            row.getLong("refused"),
            row.getLong("too_old"),
            row.getLong("merged")),
        last(row, id),
        row.getString("actor"),
        row.getString("reason"),
        Bind.instant(row, "created_at"));
  }

  private static @Nullable Duration over(ResultSet row) throws SQLException {
    int seconds = row.getInt("over_seconds");
    return seconds == 0 ? null : Duration.ofSeconds(seconds);
  }

  private static Recurrence recurrence(ResultSet row) throws SQLException {
    String cron = row.getString("cron");
    if (cron == null) {
      return new Recurrence.Every(
          Duration.ofSeconds(row.getInt("every_seconds")), Bind.instant(row, "from_at"));
    }
    return Recurrence.Cron.of(
        cron,
        ZoneId.of(row.getString("zone")),
        new ClockChange(
            ClockChange.Gap.valueOf(constant(row, "on_gap")),
            ClockChange.Repeat.valueOf(constant(row, "on_repeat"))));
  }

  private static @Nullable Firing last(ResultSet row, String id) throws SQLException {
    Instant at = Bind.instantOrNull(row, "last_at");
    return at == null
        ? null
        : new Firing(
            id,
            at,
            Bind.instant(row, "last_fired_at"),
            row.getObject("last_event_id", UUID.class),
            row.getString("last_problem"));
  }

  static Firing firing(ResultSet row) throws SQLException {
    return new Firing(
        row.getString("schedule_id"),
        Bind.instant(row, "at"),
        Bind.instant(row, "fired_at"),
        row.getObject("event_id", UUID.class),
        row.getString("problem"));
  }

  /** The name of a constant whose word a column holds. */
  private static String constant(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getString(column)).toUpperCase(Locale.ROOT);
  }

  /** The word of a constant, as a column holds it. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
