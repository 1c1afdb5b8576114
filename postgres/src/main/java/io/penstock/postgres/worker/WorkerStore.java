package io.penstock.postgres.worker;

import io.penstock.engine.tube.Presence.Seen;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When workers of tubes were last heard of. A sign for people: no decision about leases rests on
 * it. Safe for use by many threads.
 */
public final class WorkerStore {
  private static final String SEEN = Sql.of(WorkerStore.class, "seen.sql");
  private static final String ALIVE = Sql.of(WorkerStore.class, "alive.sql");

  /** After this silence a worker is forgotten. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);

  /** Forgotten per round, so that nobody waits for it. */
  private static final int MOST_FORGOTTEN = 1_000;

  private final Pool pool;

  public WorkerStore(Pool pool) {
    this.pool = pool;
  }

  /** Notes who was heard of on a node; forgets who has been silent for a day. */
  public void seen(String node, List<Seen> workers) {
    // In key order, so that two nodes that note the same workers do not wait for each other.
    List<Seen> sorted = workers.stream().sorted(Comparator.comparing(Seen::worker)).toList();
    pool.transaction(
        Use.CALLER,
        handle -> {
          handle
              .createUpdate(SEEN)
              .bind("workers", Bind.texts(sorted.stream().map(Seen::worker).toList()))
              .bind("pools", Bind.texts(sorted.stream().map(Seen::poolId).toList()))
              .bind(
                  "tubes",
                  Bind.texts(sorted.stream().map(one -> String.join(" ", one.tubes())).toList()))
              .bind(
                  "at",
                  Bind.longs(sorted.stream().mapToLong(one -> Bind.micros(one.at())).toArray()))
              .bind("node", node)
              .execute();
          return handle
              .createUpdate(
                  """
                  delete from penstock.worker
                  where worker in (
                    select worker from penstock.worker where last_seen < :forgotten limit :most)
                  """)
              .bind("forgotten", Bind.time(pool.now(handle).minus(FORGOTTEN_AFTER)))
              .bind("most", MOST_FORGOTTEN)
              .execute();
        });
  }

  /**
   * Workers heard of within {@code since}, in name order after {@code after}; "" = from the start.
   */
  public List<Worker> alive(Duration since, String after, int most) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(ALIVE)
                .bind("since", Bind.time(pool.now(handle).minus(since)))
                .bind("after", after)
                .bind("most", most)
                .map((row, context) ->
                    new Worker(
                        row.getString("worker"),
                        row.getString("pool_id"),
                        Bind.strings(row.getArray("tubes")),
                        row.getString("node"),
                        Bind.instant(row, "first_seen"),
                        Bind.instant(row, "last_seen"),
                        row.getInt("running"),
                        Bind.strings(row.getArray("running_in"))))
                .list());
  }

  /** Who asked for a tube within {@code since}; empty = nobody. */
  public Optional<Asked> asked(String tubeId, Duration since) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select count(*) as workers, max(last_seen) as last_seen
                    from penstock.worker
                    where last_seen >= :since and :tube = any(tubes)
                    having count(*) > 0
                    """)
                .bind("since", Bind.time(pool.now(handle).minus(since)))
                .bind("tube", tubeId)
                .map((row, context) ->
                    new Asked(row.getInt("workers"), Bind.instant(row, "last_seen")))
                .findOne());
  }

  /** How many workers asked for a tube, and when the last did. */
  public record Asked(int workers, Instant last) {}

  /**
   * A worker, as it names itself.
   *
   * @param running jobs that it holds, in {@code runningIn}
   */
  public record Worker(
      String worker,
      @Nullable String poolId,
      List<String> tubes,
      String node,
      Instant firstSeen,
      Instant lastSeen,
      int running,
      List<String> runningIn) {}
}
