package io.penstock.postgres.outbox;

import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.outbox.Expansion;
import io.penstock.engine.outbox.Outbox;
import io.penstock.engine.outbox.OutboxEnd;
import io.penstock.engine.outbox.OutboxReader;
import io.penstock.engine.outbox.OutboxRefusal;
import io.penstock.engine.outbox.OutboxRow;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Results;
import io.penstock.postgres.Sql;
import io.penstock.postgres.ledger.Accepts;
import io.penstock.postgres.ledger.HotPath;
import io.penstock.postgres.partition.Partitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The outbox on Postgres. A row is locked, its event accepted and the row deleted in one
 * transaction; rows that another node is at are skipped.
 */
public final class PostgresOutbox implements Outbox {
  static final String DUE = Sql.of(PostgresOutbox.class, "due.sql");
  static final String TAKE = Sql.of(PostgresOutbox.class, "take.sql");
  static final String REFUSE = Sql.of(PostgresOutbox.class, "refuse.sql");
  static final String DEFER = Sql.of(PostgresOutbox.class, "defer.sql");
  static final String DELETE = "delete from penstock.outbox where outbox_no = any(:numbers)";
  private static final String DEPTH = Sql.of(PostgresOutbox.class, "depth.sql");
  private static final String OLD = Sql.of(PostgresOutbox.class, "old.sql");

  /** How far rows are counted. */
  private static final int COUNT_BOUND = 10_000;

  /** As long as the shelf keeps dead letters. */
  public static final Duration REFUSED_KEPT = Duration.ofDays(30);

  /** Refused rows that one run of the retention throws away. */
  private static final int BITE = 1_000;

  private final Pool pool;
  private final Accepts accepts;
  private final Partitions partitions;

  public PostgresOutbox(Pool pool) {
    this.pool = pool;
    this.accepts = Accepts.of(pool);
    this.partitions = new Partitions(pool);
  }

  @Override
  public List<Due> due(int most) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          return handle
              .createQuery(DUE)
              .bind("now", Bind.time(pool.now(handle)))
              .bind("most", most)
              .map((row, context) -> new Due(row.getLong("outbox_no"), row.getInt("bytes")))
              .list();
        });
  }

  @Override
  public Expansion expand(List<Long> numbers, OutboxReader reader, Room room) {
    // The ids of the events are of this moment: today's partition, or a neighbour's.
    return partitions.onDemand(
        List.of(),
        () -> pool.transaction(Use.CALLER, handle -> expand(handle, numbers, reader, room)));
  }

  private Expansion expand(Handle handle, List<Long> numbers, OutboxReader reader, Room room) {
    List<OutboxRow> rows = take(handle, numbers);
    if (rows.isEmpty()) {
      return Expansion.NOTHING;
    }
    Ends ends = new Ends();
    List<OutboxRow> read = new ArrayList<>(rows.size());
    List<NewEvent> events = new ArrayList<>(rows.size());
    for (OutboxRow row : rows) {
      switch (reader.read(row)) {
        case OutboxReader.Event(NewEvent event) -> {
          read.add(row);
          events.add(event);
        }
        case OutboxReader.Unfit(OutboxRefusal why) -> ends.refused(row.number(), why);
      }
    }
    List<Acceptance> answers = accepts.within(handle, events, room);
    for (int i = 0; i < read.size(); i++) {
      ends.add(read.get(i).number(), OutboxEnd.of(answers.get(i), read.get(i).deferrals()));
    }
    ends.write(pool, handle);
    return new Expansion(answers, ends.why(), ends.deferred());
  }

  private static List<OutboxRow> take(Handle handle, List<Long> numbers) {
    return Results.of(
        handle.createQuery(TAKE).bind("numbers", Bind.longs(longs(numbers))),
        results -> {
          results.next(); // the settings
          ResultSet rows = results.next();
          List<OutboxRow> taken = new ArrayList<>();
          while (rows.next()) {
            taken.add(row(rows));
          }
          return taken;
        });
  }

  private static OutboxRow row(ResultSet row) throws SQLException {
    return new OutboxRow(
        row.getLong("outbox_no"),
        row.getString("tenant_id"),
        row.getString("type"),
        row.getBytes("payload"),
        row.getBoolean("payload_is_text"),
        row.getString("content_type"),
        row.getString("headers"),
        row.getString("urgency"),
        row.getString("idempotency_key"),
        row.getString("operation"),
        row.getString("source_version"),
        Bind.strings(row.getArray("destination_ids")),
        row.getInt("deferrals"));
  }

  @Override
  public boolean refuse(long number, OutboxRefusal why) {
    return alone(number, (ends, row) -> ends.refused(row, why));
  }

  @Override
  public boolean defer(long number, Duration wait) {
    return alone(number, (ends, row) -> ends.add(row, new OutboxEnd.Later(wait)));
  }

  /** What is done with a row that nobody else is at. */
  @FunctionalInterface
  private interface Alone {
    void end(Ends ends, long number);
  }

  private boolean alone(long number, Alone what) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          List<OutboxRow> taken = take(handle, List.of(number));
          Ends ends = new Ends();
          taken.forEach(row -> what.end(ends, row.number()));
          ends.write(pool, handle);
          return !taken.isEmpty();
        });
  }

  @Override
  public Depth depth() {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(DEPTH)
                .bind("bound", COUNT_BOUND)
                .map((row, context) ->
                    new Depth(
                        row.getLong("rows"),
                        row.getLong("rows") >= COUNT_BOUND,
                        Bind.instantOrNull(row, "oldest"),
                        row.getLong("refused")))
                .one());
  }

  /** Throws away some rows that were refused {@link #REFUSED_KEPT} ago or earlier; how many. */
  public int forgetOld() {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          return handle
              .createUpdate(OLD)
              .bind("before", Bind.time(pool.now(handle).minus(REFUSED_KEPT)))
              .bind("most", BITE)
              .execute();
        });
  }

  static long[] longs(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }
}
