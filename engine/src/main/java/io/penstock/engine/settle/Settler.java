package io.penstock.engine.settle;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
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
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

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

  /** Rest of this node for a destination after an attempt that failed by our own fault. */
  static final Duration OURS_AGAIN = Duration.ofSeconds(1);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofMillis(250);

  private final int shard;
  private final Ledger ledger;
  private final DueHeap heap;
  private final LedgerTime time;
  private final Host host;
  private final Limits limits;
  private final Runnable wake;
  private final Consumer<Map<String, Long>> generationsKnown;
  private final Runnable slotFreed;
  private final Consumer<String> gone;
  private final NodeListener listener;
  private final Deque<Settlement> waiting = new ArrayDeque<>();
  private boolean gathered;
  private int most = MOST;

  /**
   * Nothing waits yet.
   *
   * @param wake wakes the loop that calls {@link #runOnce}
   * @param generationsKnown told the generation of each budget that was fed
   * @param slotFreed called once for each settlement that left
   * @param gone told of each destination whose gate is to close because its receiver is gone, while
   *     the budget that it shares stays open; must not block
   */
  public Settler(
      int shard,
      Ledger ledger,
      DueHeap heap,
      LedgerTime time,
      Host host,
      Limits limits,
      Runnable wake,
      Consumer<Map<String, Long>> generationsKnown,
      Runnable slotFreed,
      Consumer<String> gone,
      NodeListener listener) {
    this.shard = shard;
    this.ledger = ledger;
    this.heap = heap;
    this.time = time;
    this.host = host;
    this.limits = limits;
    this.wake = wake;
    this.generationsKnown = generationsKnown;
    this.slotFreed = slotFreed;
    this.gone = gone;
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

  /** Books all that waits without gathering; for a node that stops, after its loop has ended. */
  public void runAllOnce() {
    List<Settlement> rest;
    synchronized (waiting) {
      rest = new ArrayList<>(waiting);
      waiting.clear();
    }
    if (!rest.isEmpty()) {
      bookOrKeep(rest);
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
      while (batch.size() < most && !waiting.isEmpty()) {
        batch.add(waiting.poll());
      }
    }
    return bookOrKeep(batch) ? Duration.ZERO : LEDGER_BACK_OFF;
  }

  /**
   * Books a batch that holds slots. When the ledger does not answer, all of it stays. When booking
   * fails by a bug, it is tried in ever smaller batches, and what fails alone is let go: its lease
   * runs out, and nothing behind it waits.
   */
  private boolean bookOrKeep(List<Settlement> batch) {
    boolean leaves = false;
    try {
      leaves = book(batch);
      most = MOST;
      return leaves;
    } catch (RuntimeException | Error bug) {
      leaves = batch.size() == 1;
      most = leaves ? MOST : Math.max(1, batch.size() / 2);
      throw bug;
    } finally {
      if (leaves) {
        batch.forEach(_ -> slotFreed.run());
      } else {
        synchronized (waiting) {
          batch.reversed().forEach(waiting::addFirst);
        }
      }
    }
  }

  /**
   * Books settlements that do not hold one of this node's slots, for instance lost leases; false
   * when the ledger did not answer.
   */
  public boolean book(List<Settlement> batch) {
    SettleDecisions decisions = new SettleDecisions(limits, host.random());
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
    listener.seen(decisions.sightings());
    generationsKnown.accept(decisions.generations());
    schedule(settled, decisions.fed());
    decisions.goneAlone().forEach(gone);
    decisions.generations().keySet().forEach(id -> heap.outcomeOfBudget(id, settled.now()));
    return true;
  }

  private void schedule(Settled settled, Map<String, BudgetState> fed) {
    for (Settled.Applied applied : settled.applied()) {
      String id = applied.settlement().lease().key().destinationId();
      switch (applied.move()) {
        case Move.Retry retry -> heap.due(id, retry.notBefore());
        case Move.KeepPlace _ -> keptPlace(id, applied.settlement().feedback(), settled.now());
        case Move.Deliver _ -> {}
        case Move.Die _ -> {}
      }
      heap.outcome(id, settled.now());
    }
    for (Settlement stale : settled.stale()) {
      heap.outcome(stale.lease().key().destinationId(), settled.now());
    }
    fed.forEach((id, budget) -> {
      if (budget.inFlight() == 0) {
        heap.idle(id);
      }
    });
  }

  private void keptPlace(String id, Feedback feedback, Instant now) {
    switch (feedback) {
      case Feedback.Ended ended when ended.outcome() instanceof Outcome.Ours ->
          heap.bar(id, DueHeap.Barrier.TIME, now.plus(OURS_AGAIN), now);
      case Feedback.HandedBack _ -> {
        heap.dueNow(id, now);
        heap.handedBack(id, now);
      }
      case Feedback.Ended _, Feedback.LeaseLost _ -> heap.dueNow(id, now);
    }
  }
}
