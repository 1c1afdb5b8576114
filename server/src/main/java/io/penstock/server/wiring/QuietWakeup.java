package io.penstock.server.wiring;

import io.penstock.engine.wakeup.Wakeup;
import java.util.Collection;

/** For a node that has no others: it has nobody to tell and nobody to hear. */
final class QuietWakeup implements Wakeup {
  @Override
  public void due(int shard, Collection<String> destinationIds) {}

  @Override
  public void gatesChanged() {}

  @Override
  public void listen(Listener listener) {}

  @Override
  public void close() {}
}
