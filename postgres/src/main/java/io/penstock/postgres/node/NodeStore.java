package io.penstock.postgres.node;

import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Heartbeats of nodes. A sign for people: no decision about leases rests on it. */
public final class NodeStore {
  /** After this silence a node is forgotten. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);

  private final Pool pool;

  public NodeStore(Pool pool) {
    this.pool = pool;
  }

  /** Says that this process lives; forgets nodes that have been silent for a day. */
  public void beat(String node, String host, String version) {
    pool.transaction(
        Use.LOOP,
        handle -> {
          Instant now = pool.now(handle);
          handle
              .createUpdate(
                  """
                  insert into penstock.node (node, host, version, started_at, last_beat)
                  values (:node, :host, :version, :now, :now)
                  on conflict (node) do update set last_beat = :now
                  """)
              .bind("node", node)
              .bind("host", host)
              .bind("version", version)
              .bind("now", Bind.time(now))
              .execute();
          return handle
              .createUpdate("delete from penstock.node where last_beat < :forgotten")
              .bind("forgotten", Bind.time(now.minus(FORGOTTEN_AFTER)))
              .execute();
        });
  }

  /**
   * Says which version of the limits this process obeys.
   *
   * @param complaint why it is not the newest; empty = it is
   */
  public void obeys(String node, long limitsVersion, String complaint) {
    pool.read(
        Use.LOOP,
        handle ->
            handle
                .createUpdate(
                    """
                    update penstock.node set limits_version = :version, limits_complaint = :complaint
                    where node = :node
                    """)
                .bind("node", node)
                .bind("version", limitsVersion)
                .bind("complaint", complaint)
                .execute());
  }

  /** Says that this process ends in good order. */
  public void leave(String node) {
    pool.read(
        Use.LOOP,
        handle ->
            handle
                .createUpdate("delete from penstock.node where node = :node")
                .bind("node", node)
                .execute());
  }

  /** Nodes heard of within {@code since}, in name order. */
  public List<Node> alive(Duration since) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select node, host, version, started_at, last_beat, limits_version,
                      limits_complaint
                    from penstock.node
                    where last_beat >= :since
                    order by node
                    """)
                .bind("since", Bind.time(pool.now(handle).minus(since)))
                .map((row, context) ->
                    new Node(
                        row.getString("node"),
                        row.getString("host"),
                        row.getString("version"),
                        Bind.instant(row, "started_at"),
                        Bind.instant(row, "last_beat"),
                        row.getLong("limits_version"),
                        row.getString("limits_complaint")))
                .list());
  }

  /**
   * A process; {@code node} is unique per start.
   *
   * @param limitsVersion the version of the limits that it obeys; 0 = none
   * @param limitsComplaint why it is not the newest; empty = it is
   */
  public record Node(
      String node,
      String host,
      String version,
      Instant startedAt,
      Instant lastBeat,
      long limitsVersion,
      String limitsComplaint) {}
}
