package io.penstock.postgres.history;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.history.HistoryPoint;
import io.penstock.engine.history.Mark;
import io.penstock.engine.history.Recorder;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jspecify.annotations.Nullable;

/**
 * Writes points of histories. Takes no connection from the loops: whatever holds it up, claims and
 * settles have theirs. Safe for use by many threads and nodes.
 */
public final class HistoryStore {
  private static final String ADD = Sql.of(HistoryStore.class, "add.sql");

  /** Rows per statement: some tens of milliseconds. */
  private static final int MOST = 2_000;

  /** Stands for null in an array of numbers, none of which can be negative. */
  private static final int NONE = -1;

  private static final int SHORTEST_SPAN = 1;
  private static final int KEPT_WHOLE = 600;

  private final Pool pool;

  public HistoryStore(Pool pool) {
    this.pool = pool;
  }

  /**
   * Adds these, all or none.
   *
   * @throws io.penstock.engine.ledger.LedgerException if the database cannot answer now
   */
  public void add(List<HistoryPoint> points) {
    if (points.isEmpty()) {
      return;
    }
    pool.transaction(
        Use.CALLER,
        handle -> {
          handle.execute(
              "set local statement_timeout = '5s'; set local synchronous_commit = 'off'");
          for (int from = 0; from < points.size(); from += MOST) {
            add(handle, points.subList(from, Math.min(points.size(), from + MOST)));
          }
          return points.size();
        });
  }

  private void add(Handle handle, List<HistoryPoint> points) {
    handle
        .createUpdate(ADD)
        .bind("shards", ints(points, p -> Shard.of(p.destinationId(), pool.shards())))
        .bind("destinations", Bind.texts(points.stream().map(p -> p.destinationId()).toList()))
        .bind("atMicros", Bind.longs(points.stream().mapToLong(p -> Bind.micros(p.at())).toArray()))
        .bind("kinds", Bind.texts(points.stream().map(p -> Recorder.kindOf(p.mark())).toList()))
        .bind("spans", ints(points, p -> span(p.mark())))
        .bind("rates", doubles(points, HistoryPoint::rate))
        .bind("ceilings", doubles(points, HistoryPoint::ceiling))
        .bind("knees", doubles(points, p -> p.knee() == null ? NONE : p.knee()))
        .bind("throttled", ints(points, HistoryPoint::throttled))
        .bind("times", ints(points, HistoryPoint::times))
        .bind("befores", doubles(points, p -> p.mark() == null ? NONE : p.mark().before()))
        .bind("failures", ints(points, p -> p.mark() == null ? 0 : p.mark().count()))
        .bind(
            "causes",
            Bind.texts(points.stream().map(p -> p.mark() == null ? "" : p.mark().cause()).toList()))
        .execute();
  }

  private static int span(@Nullable Mark mark) {
    if (mark == null) {
      return SHORTEST_SPAN;
    }
    return switch (mark.kind()) {
      case CUT, PROBE_FAILED -> SHORTEST_SPAN;
      case PARKED, UNPARKED, CLOSED -> KEPT_WHOLE;
    };
  }

  private static Argument ints(List<HistoryPoint> points, ToIntFunction<HistoryPoint> value) {
    return Bind.ints(points.stream().mapToInt(value).toArray());
  }

  private static Argument doubles(List<HistoryPoint> points, ToDoubleFunction<HistoryPoint> value) {
    return Bind.doubles(points.stream().mapToDouble(value).toArray());
  }
}
