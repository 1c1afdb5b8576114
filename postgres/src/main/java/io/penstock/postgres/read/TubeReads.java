package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.ledger.JobRef;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads tubes and the jobs that workers hold. Safe for use by many threads. */
public final class TubeReads {
  private static final String TUBES = Sql.of(TubeReads.class, "tubes.sql");
  private static final double MICROS_PER_SECOND = 1e6;

  private final Pool pool;

  public TubeReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * Tubes in id order after {@code after} (null = from the start); tenants empty = all.
   *
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<TubeView, String> tubes(Set<String> tenantIds, @Nullable String after, int limit) {
    Page.check(limit);
    List<TubeView> found =
        pool.transaction(
            Use.CALLER,
            handle -> {
              Reads.enter(handle);
              return tubes(handle, tenantIds, null, after == null ? "" : after, limit + 1);
            });
    return Page.of(found, limit, one -> one.destination().destination().id());
  }

  /** The ids of all tubes, in their order. */
  public List<String> ids(int most) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select destination_id
                    from penstock.destination
                    where mode = 'pull' and deleted_at is null
                    order by destination_id
                    limit :most
                    """)
                .bind("most", most)
                .mapTo(String.class)
                .list());
  }

  /** One tube; empty when there is no destination of mode pull with this id. */
  public Optional<TubeView> tube(String tubeId) {
    return pool
        .transaction(
            Use.CALLER,
            handle -> {
              Reads.enter(handle);
              return tubes(handle, Set.of(), tubeId, "", 1);
            })
        .stream()
        .findFirst();
  }

  private List<TubeView> tubes(
      Handle handle, Set<String> tenantIds, @Nullable String tubeId, String after, int limit) {
    Instant now = pool.now(handle);
    return handle
        .createQuery(TUBES)
        .bind("tenants", Reads.anyOf(tenantIds))
        .bind("destination", tubeId)
        .bind("after", after)
        .bind("limit", limit)
        .bind("bound", TubeView.WAITING_BOUND)
        .map((row, context) ->
            new TubeView(
                now,
                ConfigurationRows.destination(row),
                row.getInt("running"),
                row.getInt("waiting"),
                Bind.instantOrNull(row, "oldest"),
                counts(row)))
        .list();
  }

  private static TubeView.@Nullable Counts counts(ResultSet row) throws SQLException {
    Instant lastRun = Bind.instantOrNull(row, "last_run_at");
    return lastRun == null
        ? null
        : new TubeView.Counts(
            row.getLong("completed"),
            row.getLong("failed"),
            row.getLong("lost"),
            row.getLong("released"),
            row.getLong("worked_us") / MICROS_PER_SECOND,
            row.getLong("yielded"),
            row.getLong("empty_runs"),
            lastRun,
            Bind.instantOrNull(row, "last_success_at"),
            Bind.instantOrNull(row, "last_yield_at"));
  }

  /** Who holds a job; empty = nobody does. */
  public Optional<TubeView.Running> running(DeliveryKey key) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select t.worker, t.pool_id, t.held_from, d.lease_until, t.charged_us, t.lent
                    from penstock.tube_lease t
                    join penstock.delivery d on d.shard = t.shard
                      and d.destination_id = t.destination_id and d.event_id = t.event_id
                      and d.lease_no = t.lease_no and d.lease_until is not null
                    where t.shard = :shard and t.destination_id = :destination
                      and t.event_id = :event
                    """)
                .bind("shard", key.shard())
                .bind("destination", key.destinationId())
                .bind("event", key.eventId())
                .map((row, context) ->
                    new TubeView.Running(
                        row.getString("worker"),
                        row.getString("pool_id"),
                        Bind.instant(row, "held_from"),
                        Bind.instant(row, "lease_until"),
                        row.getLong("charged_us") / MICROS_PER_SECOND,
                        row.getBoolean("lent")))
                .findOne());
  }

  /** How a lease ended, for who asks about one that is no more; empty = without an attempt. */
  public Optional<TubeView.Ended> ended(JobRef job) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select outcome, detail, started_at, node
                    from penstock.attempt
                    where shard = :shard and destination_id = :destination and event_id = :event
                      and lease_no = :leaseNo
                    order by day desc
                    limit 1
                    """)
                .bind("shard", job.key().shard())
                .bind("destination", job.key().destinationId())
                .bind("event", job.key().eventId())
                .bind("leaseNo", job.leaseNo())
                .map((row, context) ->
                    new TubeView.Ended(
                        row.getString("outcome"),
                        row.getString("detail"),
                        Bind.instant(row, "started_at"),
                        row.getString("node")))
                .findOne());
  }
}
