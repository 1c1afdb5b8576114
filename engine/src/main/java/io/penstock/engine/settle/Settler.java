package io.penstock.engine.settle;

import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.host.Host;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.schedule.DueHeap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Books what attempts came to, many at a time. What cannot be booked because the ledger does not
 * answer stays and is tried again: a settle guards on the lease number, so booking twice is stale
 * and not wrong. Bounded by the node's slots, which are given back only here. {@link #offer} may be
 * called by many threads; {@link #runOnce} by one.
 */
public final class Settler {
  /** Settlements per transaction: bounds how long its row locks are held (about 20 ms). */
  static final int MOST = 500;

  /** Time in which outcomes gather, when there are few, so that a commit books more than one. */
  static final Duration GATHER = Duration.ofMillis(2);

  /** Settlements that do not wait for others. */
  static final int ENOUGH = 64;

  /** Longest sleep; an outcome ends it. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(5);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofMillis(250);

  private final int shard;
  private final Ledger ledger;
  private final DueHeap heap;
  private final LedgerTime time;
  private final Host host;
  private final Limits limits;
  private final Backoff backoff;
  private final Runnable wake;
  private final BiConsumer<String, Long> generationKnown;
  private final Runnable slotFreed;
  private final NodeListener listener;
  private final Deque<Settlement> waiting = new ArrayDeque<>();
  private boolean gathered;

  /**
   * Nothing waits yet.
   *
   * @param wake wakes the loop that calls {@link #runOnce}
   * @param generationKnown told the generation of each budget that was fed
   * @param slotFreed called once for each settlement that left
   */
  public Settler(
      int shard,
      Ledger ledger,
      DueHeap heap,
      LedgerTime time,
      Host host,
      Limits limits,
      Backoff backoff,
      Runnable wake,
      BiConsumer<String, Long> generationKnown,
      Runnable slotFreed,
      NodeListener listener) {
    this.shard = shard;
    this.ledger = ledger;
    this.heap = heap;
    this.time = time;
    this.host = host;
    this.limits = limits;
    this.backoff = backoff;
    this.wake = wake;
    this.generationKnown = generationKnown;
    this.slotFreed = slotFreed;
    this.listener = listener;
  }

  /** Takes the end of one lease of this node. Never blocks. */
  public void offer(Settlement settlement) {
    int size;
    synchronized (waiting) {
      waiting.add(settlement);
      size = waiting.size();
    }
    if (size == 1 || size == ENOUGH) {
      wake.run();
    }
  }

  /** How many wait to be booked. */
  public int waiting() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  /** Books what waits; returns how long there is nothing to do. */
  public Duration runOnce() {
    List<Settlement> batch;
    synchronized (waiting) {
      if (waiting.isEmpty()) {
        gathered = false;
        return LONGEST_NAP;
      }
      if (!gathered && waiting.size() < ENOUGH) {
        gathered = true;
        return GATHER;
      }
      gathered = false;
      batch = new ArrayList<>(Math.min(MOST, waiting.size()));
      while (batch.size() < MOST && !waiting.isEmpty()) {
        batch.add(waiting.poll());
      }
    }
    if (book(batch)) {
      batch.forEach(settlement -> slotFreed.run());
      return Duration.ZERO;
    }
    synchronized (waiting) {
      batch.reversed().forEach(waiting::addFirst);
    }
    return LEDGER_BACK_OFF;
  }

  /**
   * Books settlements that do not hold one of this node's slots, for instance lost leases; false
   * when the ledger did not answer.
   */
  public boolean book(List<Settlement> batch) {
    SettleDecisions decisions = new SettleDecisions(limits, backoff, host.random());
    long began = host.nanoTime();
    Settled settled;
    try {
      settled = ledger.settle(shard, batch, decisions);
    } catch (LedgerException failure) {
      listener.ledgerFailed("settle", failure);
      return false;
    }
    time.observe(settled.now());
    listener.settled(settled, Duration.ofNanos(host.nanoTime() - began));
    decisions.generations().forEach(generationKnown);
    schedule(settled);
    return true;
  }

  private void schedule(Settled settled) {
    for (Settled.Applied applied : settled.applied()) {
      String id = applied.settlement().lease().key().destinationId();
      switch (applied.move()) {
        case Move.Retry retry -> heap.due(id, retry.notBefore());
        case Move.KeepPlace _ -> heap.dueNow(id, settled.now());
        case Move.Deliver _ -> {}
        case Move.Die _ -> {}
      }
      heap.outcome(id, settled.now());
    }
    for (Settlement stale : settled.stale()) {
      heap.outcome(stale.lease().key().destinationId(), settled.now());
    }
  }
}
