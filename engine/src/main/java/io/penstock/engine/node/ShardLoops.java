package io.penstock.engine.node;

import io.penstock.engine.claim.Claimer;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.lease.Recoverer;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.schedule.DueHeap;
import io.penstock.engine.send.NodeRest;
import io.penstock.engine.send.NodeSlots;
import io.penstock.engine.send.Sender;
import io.penstock.engine.settle.Settler;
import io.penstock.engine.walk.Walker;
import java.util.List;
import java.util.function.Consumer;

/** The loops of one shard on one node, and the heap between them. Safe for use by many threads. */
final class ShardLoops {
  private final DueHeap heap;
  private final Settler settler;
  private final Walker walker;
  private final Loop claiming;
  private final Loop settling;
  private final Loop walking;
  private final Loop recovering;

  ShardLoops(
      int shard,
      Ledger ledger,
      LedgerTime time,
      Host host,
      Limits limits,
      NodeSettings settings,
      NodeSlots slots,
      NodeRest rest,
      Sender sender,
      GateKeeper closing,
      Runnable slotSettled,
      Runnable slotsFreed,
      Consumer<String> tubes,
      NodeListener listener) {
    this.heap = new DueHeap(this::wakeClaiming);
    this.settler =
        new Settler(
            shard,
            ledger,
            heap,
            time,
            host,
            limits,
            this::wakeSettling,
            sender::generationsAre,
            slotSettled,
            closing::gone,
            listener);
    Claimer claimer =
        new Claimer(
            shard,
            settings.name(),
            ledger,
            heap,
            time,
            host,
            limits,
            slots,
            slotsFreed,
            rest,
            sender::send,
            closing,
            tubes,
            listener);
    this.walker = new Walker(shard, ledger, heap, time, host, limits, listener);
    Recoverer recoverer = new Recoverer(shard, ledger, settler, time, settings.name(), listener);
    this.claiming = new Loop("claim-" + shard, host, claimer::runOnce);
    this.settling = new Loop("settle-" + shard, host, settler::runOnce);
    this.walking = new Loop("walk-" + shard, host, walker::runOnce);
    this.recovering = new Loop("recover-" + shard, host, recoverer::runOnce);
  }

  void start() {
    settling.start();
    claiming.start();
    walking.start();
    recovering.start();
  }

  /** The loops that take on work; the settler goes on until {@link #stopSettling}. */
  void stopTaking() {
    claiming.stop();
    walking.stop();
    recovering.stop();
  }

  void stopSettling() {
    settling.stop();
  }

  /** Books what is still in hand, once the loop has ended. */
  void settleRest() {
    settler.runAllOnce();
  }

  boolean takingHasEnded() {
    return claiming.hasEnded() && walking.hasEnded() && recovering.hasEnded();
  }

  boolean settlingHasEnded() {
    return settling.hasEnded();
  }

  void offer(Settlement settlement) {
    settler.offer(settlement);
  }

  void wakeClaiming() {
    claiming.wake();
  }

  void walkSoon() {
    walking.wake();
  }

  /** Drops all hints and finds everything again, before this returns. */
  int rebuild() {
    try {
      return walker.rebuild();
    } finally {
      walking.wake(); // what a failure in the middle left out is found soon
    }
  }

  /** The same, soon and on the walk's own thread. */
  void rebuildSoon() {
    walker.beginAnew();
    walking.wake();
  }

  DueHeap heap() {
    return heap;
  }

  static List<DueHeap> heapsOf(List<ShardLoops> shards) {
    return shards.stream().map(ShardLoops::heap).toList();
  }

  private void wakeSettling() {
    settling.wake();
  }
}
