package io.penstock.engine.claim;

import io.penstock.budget.Decision;
import io.penstock.budget.RefuseReason;
import io.penstock.budget.WaitReason;
import io.penstock.engine.claim.ClaimDecisions.Asked;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.host.Host;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.schedule.DueHeap;
import io.penstock.engine.send.NodeRest;
import io.penstock.engine.send.NodeSlots;
import io.penstock.engine.send.NodeSlots.Share;
import io.penstock.engine.send.Sending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is due in one shard: asks the ledger for the destinations whose turn has come, sends
 * what was leased, and tells the heap when each is worth asking again. One thread.
 */
public final class Claimer {
  /** Destinations per claim: bounds how long its row locks are held (about 20 ms). */
  static final int MOST_DESTINATIONS = 500;

  /** Deliveries per claim, for the same reason. */
  static final int MOST_DELIVERIES = 1_000;

  /** And at least so many, however slow the ledger is. */
  static final int LEAST_DELIVERIES = 8;

  /** A claim that takes longer makes the next one smaller: its sends start within 100 ms. */
  static final Duration SLOW = Duration.ofMillis(50);

  /** Bytes of bodies that one claim returns: bounds the node's memory. */
  static final long MOST_BYTES = 8L << 20;

  /** When another node holds a budget's lock: about the length of a claim. */
  static final Duration SKIPPED_AGAIN = Duration.ofMillis(5);

  /** When some lanes or urgencies were not allowed, so that a short pick proves nothing. */
  static final Duration PARTLY_ALLOWED_AGAIN = Duration.ofMillis(500);

  /**
   * A destination that has to wait is not asked again sooner, by the node's estimate of the
   * ledger's time: while that runs ahead, what is due by it is not due by the ledger's clock, and
   * the loop would spin.
   */
  static final Duration SOONEST_AGAIN = Duration.ofMillis(2);

  /** Between looks at whether a node that is on trial after a rest may try more. */
  static final Duration BETWEEN_TRIALS = Duration.ofMillis(100);

  /** Longest sleep; hints end it earlier. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(5);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofMillis(250);

  private final int shard;
  private final String node;
  private final Ledger ledger;
  private final DueHeap heap;
  private final LedgerTime time;
  private final Host host;
  private final Limits limits;
  private final NodeSlots slots;
  private final Runnable slotsFreed;
  private final NodeRest rest;
  private final Consumer<List<Sending>> sender;
  private final GateKeeper closing;
  private final Consumer<String> tubes;
  private final NodeListener listener;
  private int size = MOST_DELIVERIES;

  /**
   * A claimer of one shard.
   *
   * @param slotsFreed wakes who waits for slots
   * @param rest says when this node claims nothing
   * @param sender takes what was leased, in order; must not block
   * @param closing told when a budget closed itself behind an open gate, and when something waits
   *     behind a gate that will not open
   * @param tubes told of each tube that has something waiting; its jobs are leased elsewhere
   */
  public Claimer(
      int shard,
      String node,
      Ledger ledger,
      DueHeap heap,
      LedgerTime time,
      Host host,
      Limits limits,
      NodeSlots slots,
      Runnable slotsFreed,
      NodeRest rest,
      Consumer<List<Sending>> sender,
      GateKeeper closing,
      Consumer<String> tubes,
      NodeListener listener) {
    this.shard = shard;
    this.node = node;
    this.ledger = ledger;
    this.heap = heap;
    this.time = time;
    this.host = host;
    this.limits = limits;
    this.slots = slots;
    this.slotsFreed = slotsFreed;
    this.rest = rest;
    this.sender = sender;
    this.closing = closing;
    this.tubes = tubes;
    this.listener = listener;
  }

  /** One claim of what is due; returns how long there is nothing to do. */
  public Duration runOnce() {
    Duration resting = rest.left();
    if (resting.isPositive()) {
      return atMostLongest(resting);
    }
    // A look takes nothing: claimers of several shards must not hide slots from one another.
    Duration nap = untilNext(time.now(), slots.look());
    if (nap.isPositive()) {
      return nap;
    }
    int most = rest.most(size);
    if (most == 0) {
      return BETWEEN_TRIALS;
    }
    Share share = slots.take(most);
    int leased = 0;
    try {
      Instant now = time.now();
      List<String> due = heap.poll(now, Math.min(share.all(), MOST_DESTINATIONS), share.anyone());
      if (due.isEmpty()) {
        return SOONEST_AGAIN;
      }
      ClaimDecisions decisions = new ClaimDecisions(limits, due, share);
      long began = host.nanoTime();
      Claim claim = claim(due, decisions, share, now);
      if (claim == null) {
        return LEDGER_BACK_OFF;
      }
      Duration took = Duration.ofNanos(host.nanoTime() - began);
      leased = claim.leased().size();
      slots.leased(leased);
      listener.claimed(due.size(), claim, took);
      fitSize(took);
      Duration ago = sinceDebit(took, now, claim.now());
      time.observe(claim.now());
      sender.accept(sendings(claim, decisions, ago, host.nanoTime()));
      schedule(claim, decisions, now);
      heap.done(due);
      return Duration.ZERO;
    } finally {
      if (slots.giveBackUnused(share.all() - leased)) {
        slotsFreed.run();
      }
    }
  }

  private @Nullable Claim claim(
      List<String> due, ClaimDecisions decisions, Share share, Instant now) {
    try {
      return ledger.claim(new ClaimRequest(shard, due, node, share.all(), MOST_BYTES), decisions);
    } catch (LedgerException failure) {
      // It may have taken effect: then those leases run out and are recovered.
      due.forEach(id -> heap.due(id, now.plus(LEDGER_BACK_OFF)));
      heap.done(due);
      listener.ledgerFailed("claim", failure);
      return null;
    }
  }

  private Duration untilNext(Instant now, Share share) {
    Instant next = share.all() == 0 ? null : heap.next(share.anyone() > 0);
    return next == null ? LONGEST_NAP : atMostLongest(Duration.between(now, next));
  }

  private static Duration atMostLongest(Duration nap) {
    return nap.compareTo(LONGEST_NAP) > 0 ? LONGEST_NAP : nap;
  }

  /** What a slow ledger leases in one claim must be less, or all of it would come back too late. */
  private void fitSize(Duration took) {
    size =
        took.compareTo(SLOW) > 0
            ? Math.max(LEAST_DELIVERIES, size / 2)
            : Math.min(MOST_DELIVERIES, 2 * size);
  }

  /**
   * How long ago a claim debited that took so long. The ledger's clock is read within it, after the
   * locks; by the node's estimate of that clock it began at {@code began}.
   */
  private static Duration sinceDebit(Duration took, Instant began, Instant debited) {
    Duration before = Duration.between(began, debited);
    if (before.isNegative()) {
      return took;
    }
    return before.compareTo(took) > 0 ? Duration.ZERO : took.minus(before);
  }

  private static List<Sending> sendings(
      Claim claim, ClaimDecisions decisions, Duration ago, long came) {
    List<Sending> sendings = new ArrayList<>(claim.leased().size());
    Map<String, Integer> nth = new HashMap<>();
    for (Leased delivery : claim.leased()) {
      String id = delivery.key().destinationId();
      Asked asked = decisions.asked(id);
      int place = nth.merge(id, 1, Integer::sum) - 1;
      sendings.add(
          new Sending(
              delivery,
              asked.stamp(delivery),
              asked.gate().gateNo(),
              asked.asking.configNo(),
              asked.paced(place).minus(ago),
              claim.now(),
              came - ago.toNanos(),
              asked.limits.ageLimit(),
              asked.gate().reopenedAt(),
              asked.limits.budget().timeout(),
              asked.limits.outcomes()));
    }
    return sendings;
  }

  /** Tells the heap when each destination that was polled is worth asking again. */
  private void schedule(Claim claim, ClaimDecisions decisions, Instant polledAt) {
    Instant now = claim.now();
    claim.skipped().forEach(id -> heap.due(id, now.plus(SKIPPED_AGAIN)));
    for (Map.Entry<String, Asked> entry : decisions.asked().entrySet()) {
      String id = entry.getKey();
      Asked asked = entry.getValue();
      if (asked.isTube() && !endsWhatWaits(asked.gate())) {
        tubes.accept(id);
        continue;
      }
      switch (asked.decision()) {
        case null -> behindGate(id, asked.gate(), now);
        // What another of its budget was granted may not have been taken.
        case Decision.Wait wait ->
            afterSome(id, asked.afterOthers ? decisions.next(asked, now) : wait, now);
        case Decision.Refuse refuse -> bar(id, refuse, now);
        case Decision.Admit admit -> {
          boolean allDueTaken =
              asked.leased < asked.granted && claim.picked().getOrDefault(id, 0) == asked.leased;
          if (allDueTaken) {
            afterLastDue(id, admit, now);
          } else if (asked.leased == 0) {
            heap.dueNow(id, polledAt); // unserved: before those that were served
          } else {
            afterSome(id, decisions.next(asked, now), now);
          }
        }
      }
      if (!asked.asking.budgetId().equals(id)) {
        heap.shares(id, asked.asking.budgetId());
      }
      if (decisions.inFlight(asked) > 0) {
        heap.busy(id);
      }
    }
  }

  private static boolean endsWhatWaits(Gate gate) {
    return gate.closed() == Gate.Closed.DELETED || gate.closed() == Gate.Closed.DISABLED;
  }

  private void behindGate(String id, Gate gate, Instant now) {
    switch (gate.closed()) {
      // No barrier: what comes back from flight later is found by the walk, and shelved too.
      case DELETED -> closing.shelve(id, Reason.DESTINATION_DELETED, gate.gateNo());
      case DISABLED -> closing.shelve(id, Reason.DESTINATION_DISABLED, gate.gateNo());
      case PAUSED, HELD -> heap.bar(id, DueHeap.Barrier.GATE, now, now); // everything is kept
      case null -> throw new IllegalStateException("not asked, and yet its gate is open: " + id);
    }
  }

  /** Nothing more was due under this decision; later rows have hints of their own. */
  private void afterLastDue(String id, Decision.Admit admit, Instant now) {
    if (admit.mostRetries() < admit.most() || admit.mostBatch() < admit.most()) {
      heap.due(id, now.plus(PARTLY_ALLOWED_AGAIN));
    }
  }

  /** More may be due: rows beyond the grant, or behind rows that moved meanwhile. */
  private void afterSome(String id, Decision next, Instant now) {
    switch (next) {
      case Decision.Admit _ -> heap.dueNow(id, now);
      case Decision.Wait wait -> bar(id, wait, now);
      case Decision.Refuse refuse -> bar(id, refuse, now);
    }
  }

  private void bar(String id, Decision.Wait wait, Instant now) {
    DueHeap.Barrier barrier =
        switch (wait.reason()) {
          case WaitReason.Slots _ -> DueHeap.Barrier.OUTCOME;
          case WaitReason.Pinned _ -> DueHeap.Barrier.OUTCOME;
          case WaitReason.Parked _ -> DueHeap.Barrier.OUTCOME;
          case WaitReason.Tokens _ -> DueHeap.Barrier.TIME;
          case WaitReason.Quota _ -> DueHeap.Barrier.TIME;
          case WaitReason.RetryAllowance _ -> DueHeap.Barrier.TIME;
          case WaitReason.WorkerSeconds _ -> DueHeap.Barrier.OUTCOME;
        };
    Instant soonest = time.now().plus(SOONEST_AGAIN);
    heap.bar(id, barrier, wait.until().isAfter(soonest) ? wait.until() : soonest, now);
  }

  private void bar(String id, Decision.Refuse refuse, Instant now) {
    if (refuse.reason() != RefuseReason.RATE_ZERO) {
      closing.follow(id, refuse.reason());
    }
    heap.bar(id, DueHeap.Barrier.GATE, now, now);
  }
}
