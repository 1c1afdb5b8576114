package io.penstock.postgres.retention;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Drops the oldest day of a table. Detached first, concurrently, so that readers and writers of the
 * other days wait for nothing; a detach or drop that was cut off is ended the next time.
 */
record DropDays(String table, Duration keep) implements Step {
  /** Names such as {@code event_20261130}. */
  private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;

  @Override
  public String name() {
    return table + "_days_dropped";
  }

  @Override
  public int bite(Handle handle, Instant now) {
    LocalDate firstKept = RowSteps.firstKept(now, keep);
    Optional<Day> oldest = oldest(handle, table + "_" + firstKept.format(DAY));
    if (oldest.isEmpty()) {
      return 0;
    }
    Day day = oldest.get();
    // The name comes from the catalogue and matched a pattern of letters, digits and underscores.
    switch (day.state()) {
      case "attached" ->
          handle.execute(
              "alter table penstock.%s detach partition penstock.%s concurrently"
                  .formatted(table, day.name()));
      case "detaching" ->
          handle.execute(
              "alter table penstock.%s detach partition penstock.%s finalize"
                  .formatted(table, day.name()));
      default -> {
        // detached already
      }
    }
    handle.execute("drop table penstock." + day.name());
    return 1;
  }

  /** Whether some day of the table is due to go. */
  boolean isAnyDue(Handle handle, Instant now) {
    return oldest(handle, table + "_" + RowSteps.firstKept(now, keep).format(DAY)).isPresent();
  }

  /** A partition: attached, detaching (cut off in between) or detached. */
  private record Day(String name, String state) {}

  private Optional<Day> oldest(Handle handle, String firstKept) {
    return handle
        .createQuery(
            """
            select c.relname as name,
              case when i.inhrelid is null then 'detached'
                when i.inhdetachpending then 'detaching'
                else 'attached' end as state
            from pg_class c
            left join pg_inherits i on i.inhrelid = c.oid
            where c.relnamespace = 'penstock'::regnamespace and c.relkind = 'r'
              and c.relname ~ ('^' || :table || '_[0-9]{8}$') and c.relname < :firstKept
            order by c.relname
            limit 1
            """)
        .bind("table", table)
        .bind("firstKept", firstKept)
        .map((row, context) -> new Day(row.getString("name"), row.getString("state")))
        .findOne();
  }
}
