package io.penstock.postgres.node;

import io.penstock.postgres.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Heartbeats of nodes. A sign for people: no decision about leases rests on it. */
public final class NodeStore {
  private final Pool pool;

  public NodeStore(Pool pool) {
    this.pool = pool;
  }

  /** Says that this process lives; forgets nodes that have been silent for a day. */
  public void beat(String node, String host, String version) {
    throw new UnsupportedOperationException();
  }

  /** Says that this process ends in good order. */
  public void leave(String node) {
    throw new UnsupportedOperationException();
  }

  /** Nodes heard of within {@code since}, in name order. */
  public List<Node> alive(Duration since) {
    throw new UnsupportedOperationException();
  }

  /** A process; {@code node} is unique per start. */
  public record Node(
      String node, String host, String version, Instant startedAt, Instant lastBeat) {}
}
