package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The one way back from an end: dead → pending, delivered → pending; for one delivery or many of a
 * destination. Runs in the caller's transaction.
 */
public final class Again {
  private static final String AGAIN = Sql.of(Again.class, "again.sql");

  /** Whichever lease number it ended under. */
  private static final long ANY_LEASE = -1;

  private Again() {}

  /**
   * One delivery that shall be put back.
   *
   * @param leaseNo under which it must have ended
   * @param day in which its finished row lies; null = in that of what is kept
   */
  public record Wanted(UUID eventId, long leaseNo, @Nullable LocalDate day) {}

  /** One that was put back, under a higher lease number. */
  public record Put(UUID eventId, long leaseNo, int redriveCount) {}

  /** Puts back those that ended as wanted and whose event is kept; the others stay as they are. */
  public static List<Put> put(
      Handle handle, int shard, String destination, List<Wanted> wanted, Instant now) {
    List<String> days =
        wanted.stream().map(w -> w.day() == null ? "infinity" : w.day().toString()).toList();
    return run(
        handle,
        shard,
        destination,
        DeliveryState.DEAD,
        wanted.stream().map(Wanted::eventId).toList(),
        wanted.stream().mapToLong(Wanted::leaseNo).toArray(),
        days,
        days,
        now);
  }

  /** Puts one back that is in this state; false when it is not, or its event is gone. */
  static boolean put(
      Handle handle, int shard, String destination, UUID eventId, DeliveryState from, Instant now) {
    return !run(
            handle,
            shard,
            destination,
            from,
            List.of(eventId),
            new long[] {ANY_LEASE},
            List.of("-infinity"),
            List.of("infinity"),
            now)
        .isEmpty();
  }

  private static List<Put> run(
      Handle handle,
      int shard,
      String destination,
      DeliveryState from,
      List<UUID> events,
      long[] leaseNos,
      List<String> firstDays,
      List<String> lastDays,
      Instant now) {
    WaitingFrom.lower(handle, shard, destination, now);
    return handle
        .createQuery(AGAIN)
        .bind("shard", shard)
        .bind("destination", destination)
        .bind("state", from.word())
        .bind("events", Bind.uuids(events))
        .bind("leaseNos", Bind.longs(leaseNos))
        .bind("firstDays", Bind.dates(firstDays))
        .bind("lastDays", Bind.dates(lastDays))
        .bind("now", Bind.time(now))
        .map((row, context) ->
            new Put(
                row.getObject("event_id", UUID.class),
                row.getLong("lease_no"),
                row.getInt("redrive_count")))
        .list();
  }
}
