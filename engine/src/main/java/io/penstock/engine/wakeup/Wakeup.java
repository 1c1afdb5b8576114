package io.penstock.engine.wakeup;

import java.util.Collection;

/**
 * Hints between nodes that something changed. A hint may come late, twice or never: the walk finds
 * everything without them.
 */
public interface Wakeup extends AutoCloseable {

  /** Tells the other nodes that these destinations may have something due. Never blocks. */
  void due(int shard, Collection<String> destinationIds);

  /** Tells the other nodes that gates or configuration changed. Never blocks. */
  void gatesChanged();

  /** Tells the other nodes to drop all hints and to find everything again. Never blocks. */
  default void rebuild() {}

  /** Tells the other nodes that there is a new version of the limits. Never blocks. */
  default void limitsChanged() {}

  /** Starts to hear the other nodes; one listener. */
  void listen(Listener listener);

  @Override
  void close();

  /** Takes hints, on the wake-up's own thread. Must not block. */
  interface Listener {
    void due(int shard, Collection<String> destinationIds);

    void gatesChanged();

    /** Drop all hints and walk. */
    default void rebuild() {}

    /** There is a new version of the limits. */
    default void limitsChanged() {}

    /** Hints were lost: walk soon. */
    void lost();
  }
}
