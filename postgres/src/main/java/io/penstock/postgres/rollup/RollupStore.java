package io.penstock.postgres.rollup;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.rollup.Rollup;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.partition.Partitions;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.Update;

/**
 * Adds counted minutes to the roll-ups. Takes no connection from the loops: whatever holds it up,
 * claims and settles have theirs. Safe for use by many threads and nodes.
 */
public final class RollupStore {
  private static final String ADD = Sql.of(RollupStore.class, "add.sql");

  /** Rows per statement: some tens of milliseconds. */
  private static final int MOST = 2_000;

  /** Stands for null in an array of numbers, none of which can be negative. */
  private static final int NONE = -1;

  private static final List<String> OUTCOMES =
      List.of(
          "delivered",
          "throttled",
          "transient",
          "unknown",
          "rejected",
          "unauthorised",
          "gone",
          "unsendable",
          "misconfigured",
          "ours");

  private final Pool pool;
  private final Partitions partitions;

  public RollupStore(Pool pool) {
    this.pool = pool;
    this.partitions = new Partitions(pool);
  }

  /**
   * Adds these. All of a call's minutes are added, or none.
   *
   * @throws io.penstock.engine.ledger.LedgerException if the database cannot answer now
   */
  public void add(List<Rollup> rollups) {
    if (rollups.isEmpty()) {
      return;
    }
    List<Instant> minutes = rollups.stream().map(Rollup::minute).distinct().toList();
    partitions.onDemand(
        minutes,
        () ->
            pool.transaction(
                Use.CALLER,
                handle -> {
                  handle.execute(
                      "set local statement_timeout = '5s'; set local synchronous_commit = 'off'");
                  for (int from = 0; from < rollups.size(); from += MOST) {
                    add(handle, rollups.subList(from, Math.min(rollups.size(), from + MOST)));
                  }
                  return rollups.size();
                }));
  }

  private void add(Handle handle, List<Rollup> rows) {
    Update update =
        handle
            .createUpdate(ADD)
            .bind("shards", ints(rows, row -> Shard.of(row.destinationId(), pool.shards())))
            .bind("destinations", Bind.texts(rows.stream().map(Rollup::destinationId).toList()))
            .bind("minuteMicros", longs(rows, row -> Bind.micros(row.minute())))
            .bind("admitted", ints(rows, Rollup::admitted))
            .bind("sent", ints(rows, Rollup::sent))
            .bind("waiting", longs(rows, row -> row.waiting() == null ? NONE : row.waiting()))
            .bind(
                "oldestMicros",
                longs(rows, row -> row.oldest() == null ? NONE : Bind.micros(row.oldest())))
            .bind(
                "rates",
                Bind.doubles(
                    rows.stream()
                        .mapToDouble(row -> row.rate() == null ? NONE : row.rate())
                        .toArray()));
    for (String outcome : OUTCOMES) {
      update.bind(outcome, ints(rows, row -> row.outcomes().getOrDefault(outcome, 0)));
    }
    update.execute();
  }

  private static Argument ints(List<Rollup> rows, ToIntFunction<Rollup> value) {
    return Bind.ints(rows.stream().mapToInt(value).toArray());
  }

  private static Argument longs(List<Rollup> rows, ToLongFunction<Rollup> value) {
    return Bind.longs(rows.stream().mapToLong(value).toArray());
  }
}
