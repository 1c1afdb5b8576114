package io.penstock.engine.node;

import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.gate.GateWatcher;
import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.host.Signal;
import io.penstock.engine.intake.Backlog;
import io.penstock.engine.intake.Intake;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.permit.PermitDesk;
import io.penstock.engine.schedule.DueHeap;
import io.penstock.engine.send.NodeRest;
import io.penstock.engine.send.NodeSlots;
import io.penstock.engine.send.Sender;
import io.penstock.engine.transport.Transport;
import io.penstock.engine.tube.TubeSettings;
import io.penstock.engine.tube.Tubes;
import io.penstock.engine.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One working process: the loops of every shard, joined. Any number of nodes work on one ledger;
 * none knows of the others but through it. Safe for use by many threads.
 */
public final class Node {
  /** Between looks at whether a stopping node has finished. */
  private static final Duration STOP_LOOK = Duration.ofMillis(10);

  /** Beyond the grace, for booking outcomes that are in hand already. */
  private static final Duration LAST_SETTLE = Duration.ofSeconds(2);

  private final Ledger ledger;
  private final Wakeup wakeup;
  private final Host host;
  private final LedgerTime time;
  private final NodeSlots slots;
  private final Sender sender;
  private final List<ShardLoops> shards = new ArrayList<>();
  private final Object rebuilding = new Object();
  private final GateKeeper gateKeeper;
  private final Loop gates;
  private final Loop gateKeeping;
  private final Backlog backlog;
  private final Intake intake;
  private final @Nullable Tubes tubes;
  private volatile Runnable limitsHint = () -> {};
  private final PermitDesk permits;

  /** A node that sends, and leases no jobs to outside workers. */
  public Node(
      Ledger ledger,
      Transport transport,
      Wakeup wakeup,
      Limits limits,
      Host host,
      NodeSettings settings,
      NodeListener listener) {
    this(ledger, transport, wakeup, limits, host, settings, listener, null);
  }

  /**
   * A node.
   *
   * @param leasing how it leases jobs of tubes to outside workers; null = it leaves them to others
   */
  public Node(
      Ledger ledger,
      Transport transport,
      Wakeup wakeup,
      Limits limits,
      Host host,
      NodeSettings settings,
      NodeListener listener,
      @Nullable TubeSettings leasing) {
    this.ledger = ledger;
    this.wakeup = wakeup;
    this.host = host;
    this.time = new LedgerTime(host::nanoTime);
    this.slots = new NodeSlots(settings.slots(), ledger.shards());
    NodeRest rest = new NodeRest(host, listener);
    this.sender =
        new Sender(
            transport,
            ledger,
            settings.mostLargeBodyBytes(),
            time,
            host,
            settings.name(),
            settlement -> shards.get(settlement.lease().key().shard()).offer(settlement),
            rest,
            listener);
    this.gateKeeper = new GateKeeper(ledger, this::shardOf, this::wakeGateKeeping, listener);
    this.tubes =
        leasing == null
            ? null
            : new Tubes(
                settings.name(), ledger, time, host, limits, leasing, wakeup, gateKeeper, listener);
    for (int shard = 0; shard < ledger.shards(); shard++) {
      shards.add(
          new ShardLoops(
              shard,
              ledger,
              time,
              host,
              limits,
              settings,
              slots,
              rest,
              sender,
              gateKeeper,
              this::slotSettled,
              this::wakeClaiming,
              this::dueInTube,
              listener));
    }
    GateWatcher watcher =
        new GateWatcher(
            ledger, sender, ShardLoops.heapsOf(shards), time, this::tubeGatesChanged, listener);
    this.gates = new Loop("gates", host, watcher::runOnce);
    this.gateKeeping = new Loop("gatekeeper", host, gateKeeper::runOnce);
    this.backlog = new Backlog(limits);
    this.intake = new Intake(ledger, time, host.random(), backlog, this::accepted);
    this.permits =
        new PermitDesk(
            ledger,
            ledger.shards(),
            limits,
            time,
            host.random(),
            gateKeeper::follow,
            this::answered,
            listener);
  }

  /**
   * Learns the ledger's time and listens for hints: from now on it may take events in. Throws
   * {@link io.penstock.engine.ledger.LedgerException} when the ledger does not answer.
   */
  public void join() {
    time.observe(ledger.now());
    wakeup.listen(new Hints());
  }

  /** Joins, and starts the loops. */
  public void start() {
    join();
    startLoops();
  }

  /** Starts the loops of a node that has joined. */
  public void startLoops() {
    gates.start();
    gateKeeping.start();
    shards.forEach(ShardLoops::start);
    if (tubes != null) {
      tubes.start();
    }
  }

  /**
   * Stops: takes nothing on, hands back what is claimed and unsent, waits for what is in flight at
   * most {@code grace}, books it. Blocks until then. What is still in flight afterwards keeps its
   * lease and is recovered when that runs out.
   *
   * @return what was still in flight; 0 = nothing will be sent twice
   */
  public int stop(Duration grace) {
    sender.stop();
    stopLeasing();
    shards.forEach(ShardLoops::stopTaking);
    gates.stop();
    gateKeeping.stop();
    Signal never = host.newSignal();
    long began = host.nanoTime();
    while (!drained() && host.nanoTime() - began < grace.toNanos()) {
      never.awaitBeyond(never.count(), STOP_LOOK);
    }
    shards.forEach(ShardLoops::stopSettling);
    long settlingBegan = host.nanoTime();
    while (!shards.stream().allMatch(ShardLoops::settlingHasEnded)
        && host.nanoTime() - settlingBegan < LAST_SETTLE.toNanos()) {
      never.awaitBeyond(never.count(), STOP_LOOK);
    }
    if (shards.stream().allMatch(ShardLoops::settlingHasEnded)) {
      shards.forEach(ShardLoops::settleRest);
    }
    if (tubes != null) {
      tubes.stop();
    }
    return slots.inFlight();
  }

  /** Leases no more jobs: workers that wait go away with nothing, so that their calls end. */
  public void stopLeasing() {
    if (tubes != null) {
      tubes.stopLeasing();
    }
  }

  /** Jobs for outside workers; throws IllegalStateException on a node that leases none. */
  public Tubes tubes() {
    if (tubes == null) {
      throw new IllegalStateException("this node leases no jobs");
    }
    return tubes;
  }

  /** The way in for events. */
  public Intake intake() {
    return intake;
  }

  /** What this node knows of how much waits; somebody must count. */
  public Backlog backlog() {
    return backlog;
  }

  /** Where workers that are not ours take permits. */
  public PermitDesk permits() {
    return permits;
  }

  /** A gate or a configuration was changed through this node: look now, here and elsewhere. */
  public void gatesChanged() {
    gates.wake();
    wakeup.gatesChanged();
  }

  /**
   * Who is to look when another node tells of a new version of the limits; must not block. Before
   * {@link #start}.
   */
  public void onLimitsHint(Runnable look) {
    limitsHint = look;
  }

  /** A new version of the limits was made through this node: the others are told. */
  public void tellLimitsChanged() {
    wakeup.limitsChanged();
  }

  /** This node's limits have changed: whatever they may have barred is asked again. */
  public void limitsChanged() {
    Instant now = time.now();
    shards.forEach(shard -> shard.heap().gatesChanged(now));
    tubeGatesChanged();
  }

  /** Something became due other than by an event: a redrive, a second sending. */
  public void due(Collection<String> destinationIds) {
    accepted(destinationIds);
  }

  /**
   * What a rebuilding of this node's schedule found.
   *
   * @param destinations with something waiting, now or later
   */
  public record Rebuilt(int destinations, Duration took) {}

  /**
   * Drops every hint of this node and derives the schedule from the ledger anew; tells the other
   * nodes to do the same. Nothing that waits is touched. Blocks until this node has done; one at a
   * time. Throws {@link io.penstock.engine.ledger.LedgerException} when the ledger does not answer;
   * the next walk then finds what is missing.
   */
  public Rebuilt rebuildSchedule() {
    synchronized (rebuilding) {
      long began = host.nanoTime();
      int found = shards.stream().mapToInt(ShardLoops::rebuild).sum();
      wakeup.rebuild();
      return new Rebuilt(found, Duration.ofNanos(host.nanoTime() - began));
    }
  }

  /** Deliveries in flight on this node. */
  public int inFlight() {
    return slots.inFlight();
  }

  /** Deliveries that may be in flight at once on this node. */
  public int slotLimit() {
    return slots.limit();
  }

  /** The ledger's time, as this node estimates it. */
  public LedgerTime time() {
    return time;
  }

  /** Destinations that this node knows to have something to do. */
  public int scheduled() {
    return shards.stream().mapToInt(shard -> shard.heap().size()).sum();
  }

  private boolean drained() {
    // In this order: what a last claim took must be seen in flight.
    return shards.stream().allMatch(ShardLoops::takingHasEnded) && slots.inFlight() == 0;
  }

  private int shardOf(String destinationId) {
    return Shard.of(destinationId, ledger.shards());
  }

  private void wakeGateKeeping() {
    gateKeeping.wake();
  }

  private void slotSettled() {
    if (slots.giveBack(1)) {
      wakeClaiming();
    }
  }

  private void wakeClaiming() {
    shards.forEach(ShardLoops::wakeClaiming);
  }

  /** What waits for a slot or a probe of this destination may go sooner. */
  private void answered(String destinationId) {
    shards.get(shardOf(destinationId)).heap().outcome(destinationId, time.now());
  }

  private void accepted(Collection<String> destinationIds) {
    Map<Integer, List<String>> byShard = new TreeMap<>();
    for (String id : destinationIds) {
      byShard.computeIfAbsent(shardOf(id), _ -> new ArrayList<>()).add(id);
    }
    Instant now = time.now();
    byShard.forEach((shard, ids) -> {
      DueHeap heap = shards.get(shard).heap();
      ids.forEach(id -> hint(heap, id, now));
      wakeup.due(shard, ids);
    });
  }

  /** A tube that is not known as one yet comes by the heap: its first claim tells. */
  private void hint(DueHeap heap, String id, Instant now) {
    if (tubes != null && tubes.knows(id)) {
      tubes.due(id);
    } else {
      heap.dueNow(id, now);
    }
  }

  private void dueInTube(String tubeId) {
    if (tubes != null) {
      tubes.due(tubeId);
    }
  }

  private void tubeGatesChanged() {
    if (tubes != null) {
      tubes.gatesChanged();
    }
  }

  /** Hints from other nodes. */
  private final class Hints implements Wakeup.Listener {
    @Override
    public void due(int shard, Collection<String> destinationIds) {
      Instant now = time.now();
      DueHeap heap = shards.get(shard).heap();
      for (String id : destinationIds) {
        if (tubes != null && tubes.knows(id)) {
          tubes.dueElsewhere(id);
        } else {
          heap.dueNow(id, now);
        }
      }
    }

    @Override
    public void gatesChanged() {
      gates.wake();
    }

    @Override
    public void rebuild() {
      shards.forEach(ShardLoops::rebuildSoon);
    }

    @Override
    public void limitsChanged() {
      limitsHint.run();
    }

    @Override
    public void lost() {
      limitsHint.run();
      shards.forEach(ShardLoops::walkSoon);
      gates.wake();
    }
  }
}
