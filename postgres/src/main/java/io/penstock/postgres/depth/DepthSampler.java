package io.penstock.postgres.depth;

import io.penstock.engine.delivery.Lane;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.depth.Depths.Depth;
import io.penstock.postgres.depth.Depths.LaneDepth;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts what waits, a stretch of destinations at a time. A scrape reads {@link #latest()}, which
 * costs the same however much waits. {@code runOnce} belongs to one thread, {@code latest} to all.
 */
public final class DepthSampler {
  private static final String SAMPLE = Sql.of(DepthSampler.class, "sample.sql");

  /** Destinations counted in one statement: some milliseconds when little waits for each. */
  private static final int STRETCH = 100;

  private final Pool pool;
  private final LongSupplier nanoClock;
  private Map<String, Depth> round = new LinkedHashMap<>();
  private int shard;
  private String after = "";
  private volatile Depths latest = Depths.NONE;

  public DepthSampler(Pool pool, LongSupplier nanoClock) {
    this.pool = pool;
    this.nanoClock = nanoClock;
  }

  /**
   * Counts on from where the last call stopped, for about {@code budget}; true when this ended a
   * round and {@link #latest()} is new.
   */
  public boolean runOnce(Duration budget) {
    long started = nanoClock.getAsLong();
    do {
      Instant now = stretch();
      if (shard == pool.shards()) {
        latest = new Depths(now, Map.copyOf(round), oldestSnapshot());
        round = new LinkedHashMap<>();
        shard = 0;
        return true;
      }
    } while (nanoClock.getAsLong() - started < budget.toNanos());
    return false;
  }

  /** The last full round. */
  public Depths latest() {
    return latest;
  }

  /** Counts the next destinations and moves on; returns the time of the count. */
  private Instant stretch() {
    return pool.transaction(
        Use.LOOP,
        handle -> {
          handle.execute("set local statement_timeout = '5s'");
          Instant now = pool.now(handle);
          Map<String, Depth> found =
              handle
                  .createQuery(SAMPLE)
                  .bind("shard", shard)
                  .bind("after", after)
                  .bind("most", STRETCH)
                  .bind("now", Bind.time(now))
                  .execute((executed, context) -> read(executed.get().getResultSet()));
          round.putAll(found);
          if (found.size() < STRETCH) {
            shard++;
            after = "";
          } else {
            after = found.keySet().stream().reduce("", (a, b) -> b);
          }
          return now;
        });
  }

  /** By the database's own clock on both sides. */
  private Duration oldestSnapshot() {
    return pool.read(
        Use.LOOP,
        handle ->
            Duration.ofMillis(
                handle
                    .createQuery(
                        """
                        select coalesce(
                          (1000 * extract(epoch from max(clock_timestamp() - xact_start)))::bigint, 0)
                        from pg_stat_activity
                        where backend_xmin is not null and pid <> pg_backend_pid()
                          and backend_type = 'client backend'
                        """)
                    .mapTo(Long.class)
                    .one()));
  }

  private static Map<String, Depth> read(ResultSet rows) throws SQLException {
    Map<String, Depth> depths = new LinkedHashMap<>();
    while (rows.next()) {
      String id = rows.getString("destination_id");
      Depth before = depths.get(id);
      boolean closed = rows.getBoolean("closed");
      long ready = rows.getLong("ready");
      long later = rows.getLong("later");
      List<LaneDepth> lanes = new ArrayList<>(before == null ? List.of() : before.lanes());
      lanes.add(
          new LaneDepth(
              Lane.ofCode(rows.getInt("lane")),
              closed ? 0 : ready,
              closed ? ready + later : later));
      Instant oldest = closed ? null : Bind.instantOrNull(rows, "oldest");
      Instant earlier = before == null ? null : before.oldestReadySince();
      if (oldest == null || (earlier != null && earlier.isBefore(oldest))) {
        oldest = earlier;
      }
      depths.put(id, new Depth(rows.getString("tenant_id"), List.copyOf(lanes), oldest));
    }
    return depths;
  }
}
