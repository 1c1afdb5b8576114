package io.penstock.postgres.redrive;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedrivePlan;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.NullArgument;
import org.jspecify.annotations.Nullable;

/** Which dead letters a filter matches, a page at a time by number. */
final class Matches {
  private static final String MATCHES = Sql.of(Matches.class, "matches.sql");

  private Matches() {}

  /**
   * A match.
   *
   * @param day in which its finished row lies; null = in that of what is kept
   * @param isDead false when it has left the shelf since the redrive was started
   */
  record Match(RedrivePlan.Sample letter, long leaseNo, @Nullable LocalDate day, boolean isDead) {}

  /**
   * A page.
   *
   * @param cursor everything up to this number was looked at
   */
  record Matched(List<Match> matches, long cursor) {
    /** How many are dead. */
    int dead() {
      return (int) matches.stream().filter(Match::isDead).count();
    }
  }

  /**
   * Looks at the next {@code scan} dead letters after {@code after} up to {@code bound}.
   *
   * @param started deliveries that left the shelf since then are reported as not dead any more
   */
  static Matched page(
      Handle handle,
      int shard,
      RedriveFilter filter,
      Instant started,
      long after,
      long bound,
      int scan) {
    return handle
        .createQuery(MATCHES)
        .bind("shard", shard)
        .bind("destination", filter.destinationId())
        .bind("after", after)
        .bind("bound", bound)
        .bind("scan", scan)
        .bind("outcomes", texts(filter.outcomes()))
        .bind("reasons", texts(filter.reasons().stream().map(Reason::word).toList()))
        .bind("statuses", ints(filter.statuses()))
        .bind("types", texts(filter.types()))
        .bind("eventIds", filter.eventIds().isEmpty() ? none() : Bind.uuids(filter.eventIds()))
        .bind("diedFrom", timeOrNull(filter.diedFrom()))
        .bind("diedBefore", timeOrNull(filter.diedBefore()))
        .bind("started", Bind.time(started))
        .execute((executed, context) -> read(executed.get().getResultSet(), bound, scan));
  }

  private static Matched read(ResultSet rows, long bound, int scan) throws SQLException {
    List<Match> found = new ArrayList<>();
    long cursor = bound;
    while (rows.next()) {
      if (rows.getLong("looked") >= scan) {
        cursor = rows.getLong("looked_to");
      }
      UUID event = rows.getObject("event_id", UUID.class);
      if (event != null) {
        found.add(match(rows, event));
      }
    }
    return new Matched(found, cursor);
  }

  private static Match match(ResultSet row, UUID event) throws SQLException {
    return new Match(
        new RedrivePlan.Sample(
            row.getLong("dead_letter_no"),
            event,
            Reason.ofWord(row.getString("reason")),
            row.getString("outcome"),
            row.getInt("last_status"),
            Bind.instant(row, "last_seen")),
        row.getLong("lease_no"),
        row.getBoolean("kept") ? null : row.getObject("died_on", LocalDate.class),
        row.getBoolean("is_dead"));
  }

  private static Argument texts(Collection<String> values) {
    return values.isEmpty() ? none() : Bind.texts(values);
  }

  private static Argument ints(Collection<Integer> values) {
    return values.isEmpty()
        ? none()
        : Bind.ints(values.stream().mapToInt(Integer::intValue).toArray());
  }

  /** No condition. */
  private static Argument none() {
    return new NullArgument(Types.ARRAY);
  }

  static java.time.@Nullable OffsetDateTime timeOrNull(@Nullable Instant time) {
    return time == null ? null : Bind.time(time);
  }
}
