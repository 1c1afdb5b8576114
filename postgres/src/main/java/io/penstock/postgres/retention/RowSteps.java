package io.penstock.postgres.retention;

import io.penstock.engine.ledger.Freshness;
import io.penstock.postgres.Bind;
import io.penstock.postgres.EventIds;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Upkeep by rows: each bite is one statement that skips rows which others hold. */
final class RowSteps {
  /** Rows of one bite: some ten milliseconds. */
  private static final int BITE = 1_000;

  /** Rows of one bite for which a whole day or the shelf is looked through. */
  private static final int BIG_BITE = 20_000;

  private RowSteps() {}

  /** Idempotency keys whose window is over. */
  record IdempotencyKeys() implements Step {
    private static final String SQL = Sql.of(RowSteps.class, "idempotency_keys.sql");

    @Override
    public String name() {
      return "idempotency_keys";
    }

    @Override
    public int bite(Handle handle, Instant now) {
      return handle.createUpdate(SQL).bind("now", Bind.time(now)).bind("most", BITE).execute();
    }
  }

  /** Complete runs that nothing can ask for any more. */
  record CompleteRuns() implements Step {
    private static final String SQL = Sql.of(RowSteps.class, "complete_runs.sql");

    @Override
    public String name() {
      return "complete_runs";
    }

    @Override
    public int bite(Handle handle, Instant now) {
      return handle
          .createUpdate(SQL)
          .bind("before", Bind.time(now.minus(Freshness.LONGEST)))
          .bind("most", BITE)
          .execute();
    }
  }

  /** Points of histories. */
  record Histories(Duration keep) implements Step {
    private static final String SQL = Sql.of(RowSteps.class, "history.sql");

    @Override
    public String name() {
      return "history";
    }

    @Override
    public int bite(Handle handle, Instant now) {
      return handle
          .createUpdate(SQL)
          .bind("before", Bind.time(now.minus(keep)))
          .bind("most", BITE)
          .execute();
    }
  }

  /** Dead deliveries of days that are about to go: they can be redriven as long as the shelf. */
  record ShelfOfOldDays(Duration keep) implements Step {
    private static final String SQL = Sql.of(RowSteps.class, "shelf_of_old_days.sql");

    @Override
    public String name() {
      return "shelf_of_old_days";
    }

    @Override
    public int bite(Handle handle, Instant now) {
      return handle
          .createUpdate(SQL)
          .bind("firstKept", firstKept(now, keep))
          .bind("most", BIG_BITE)
          .execute();
    }
  }

  /** Events of days that are about to go, which a waiting delivery or a dead letter needs. */
  record NeededEvents(Duration keep) implements Step {
    private static final String SQL = Sql.of(RowSteps.class, "needed_events.sql");

    @Override
    public String name() {
      return "needed_events";
    }

    @Override
    public int bite(Handle handle, Instant now) {
      if (!new DropDays("event", keep).isAnyDue(handle, now)) {
        return 0; // the shelf is looked through only before a day goes
      }
      Instant firstKept = firstKept(now, keep).atStartOfDay(ZoneOffset.UTC).toInstant();
      return handle
          .createUpdate(SQL)
          .bind("before", EventIds.lowest(firstKept))
          .bind("most", BIG_BITE)
          .execute();
    }
  }

  /** Kept events that nothing needs any more; goes through them in key order, round and round. */
  static final class KeptEvents implements Step {
    private static final String SQL = Sql.of(RowSteps.class, "kept_events.sql");
    private static final Looked START = new Looked(-1, new UUID(0, 0), 0);

    private Looked last = START;

    @Override
    public String name() {
      return "kept_events";
    }

    /** Also a look that deletes nothing counts, until the round is over. */
    @Override
    public int bite(Handle handle, Instant now) {
      last =
          handle
              .createQuery(SQL)
              .bind("afterShard", last.shard())
              .bind("after", last.eventId())
              .bind("most", BITE)
              .map((row, context) ->
                  new Looked(
                      row.getInt("shard"),
                      row.getObject("event_id", UUID.class),
                      row.getInt("deleted")))
              .findOne()
              .orElse(START);
      return last.shard() < 0 ? 0 : Math.max(1, last.deleted());
    }

    /** Where a look ended, and how many it deleted. */
    private record Looked(int shard, UUID eventId, int deleted) {}
  }

  /** The first day of which nothing is older than {@code keep}. */
  static LocalDate firstKept(Instant now, Duration keep) {
    return LocalDate.ofInstant(now.minus(keep), ZoneOffset.UTC);
  }
}
