package io.penstock.engine.gate;

import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.schedule.DueHeap;
import io.penstock.engine.send.Sender;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Notices within half a second that a gate or a configuration changed on any node: what waits
 * behind it is asked again, what is claimed and unsent under it goes back. Claims need no watcher:
 * they read the gates themselves. One thread.
 */
public final class GateWatcher {
  /** Between polls: a pause holds everywhere within a second even when every hint is lost. */
  static final Duration INTERVAL = Duration.ofMillis(500);

  private final Ledger ledger;
  private final Sender sender;
  private final List<DueHeap> heaps;
  private final LedgerTime time;
  private final Runnable tubes;
  private final NodeListener listener;
  private long known = -1;

  /**
   * Knows no gate yet.
   *
   * @param tubes told of every change, as the heaps are; must not block
   */
  public GateWatcher(
      Ledger ledger,
      Sender sender,
      List<DueHeap> heaps,
      LedgerTime time,
      Runnable tubes,
      NodeListener listener) {
    this.ledger = ledger;
    this.sender = sender;
    this.heaps = heaps;
    this.time = time;
    this.tubes = tubes;
    this.listener = listener;
  }

  /** Looks once; returns how long to rest. */
  public Duration runOnce() {
    try {
      long version = ledger.gatesVersion();
      Set<String> unsent = sender.unsentDestinations();
      if (version != known && !unsent.isEmpty()) {
        sender.gatesAre(ledger.gateNumbers(unsent));
      }
      if (version != known) {
        heaps.forEach(heap -> heap.gatesChanged(time.now()));
        tubes.run();
        known = version;
      }
    } catch (LedgerException failure) {
      listener.ledgerFailed("gates", failure);
    }
    return INTERVAL;
  }
}
