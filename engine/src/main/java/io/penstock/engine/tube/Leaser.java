package io.penstock.engine.tube;

import io.penstock.budget.Decision;
import io.penstock.budget.RefuseReason;
import io.penstock.budget.work.Turn;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.host.Host;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Serves all workers of this node that wait for jobs: one claim for all of them at a time, so that
 * a thousand idle polls cost the ledger nothing. {@link #poll} may be called by many threads;
 * {@link #runOnce} by one.
 */
final class Leaser {
  /** Workers that may wait on one node. */
  static final int MOST_POLLS = 10_000;

  /** Tubes per claim, for the same reason as jobs. */
  static final int MOST_TUBES = 500;

  /** Jobs per claim: bounds how long its row locks are held. */
  static final int MOST_JOBS = 500;

  /** Bytes of small bodies that one claim returns: bounds the node's memory. */
  static final long MOST_BYTES = 8L << 20;

  /** When another node holds a budget's lock: about the length of a claim. */
  static final Duration SKIPPED_AGAIN = Duration.ofMillis(5);

  /** When some lanes or urgencies were not allowed, so that a short pick proves nothing. */
  static final Duration PARTLY_ALLOWED_AGAIN = Duration.ofMillis(500);

  /**
   * While a tube waits for worker-seconds its pool may have become idle enough to lend: it is asked
   * so many times within the time after which a pool counts as idle.
   */
  static final int LENDING_LOOKS = 5;

  /** A tube that has to wait is not asked again sooner. */
  static final Duration SOONEST_AGAIN = Duration.ofMillis(2);

  /** Longest sleep; a poll, a hint or the end of a job ends it. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(5);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofMillis(250);

  private final String node;
  private final Ledger ledger;
  private final TubeSchedule schedule;
  private final LedgerTime time;
  private final Host host;
  private final Limits limits;
  private final Duration lease;
  private final GateKeeper closing;
  private final Runnable wake;
  private final NodeListener listener;
  private final LinkedHashSet<Poll> polls = new LinkedHashSet<>();
  private final Map<String, Long> leasedNanos = new HashMap<>();
  private long sequence;
  private boolean stopped;

  Leaser(
      String node,
      Ledger ledger,
      TubeSchedule schedule,
      LedgerTime time,
      Host host,
      Limits limits,
      Duration lease,
      GateKeeper closing,
      Runnable wake,
      NodeListener listener) {
    this.node = node;
    this.ledger = ledger;
    this.schedule = schedule;
    this.time = time;
    this.host = host;
    this.limits = limits;
    this.lease = lease;
    this.closing = closing;
    this.wake = wake;
    this.listener = listener;
  }

  /** Lets a worker wait; false when too many wait already. Never blocks. */
  boolean poll(LeaseRequest request, Reply<List<LeasedJob>> reply) {
    synchronized (polls) {
      if (polls.size() >= MOST_POLLS) {
        return false;
      }
      if (!stopped) {
        Poll poll = new Poll(request, reply, sequence++, host.nanoTime());
        polls.add(poll);
        leasedNanos.putIfAbsent(poll.pool(), poll.beganNanos);
      }
    }
    if (stopped()) {
      reply.answer(List.of());
      return true;
    }
    wake.run();
    return true;
  }

  private boolean stopped() {
    synchronized (polls) {
      return stopped;
    }
  }

  /** Sends everybody who waits away with nothing, now and from now on. */
  void stop() {
    List<Poll> rest;
    synchronized (polls) {
      stopped = true;
      rest = new ArrayList<>(polls);
      polls.clear();
    }
    rest.forEach(poll -> poll.answer(List.of()));
  }

  /** Whether somebody waits. */
  boolean hasPolls() {
    synchronized (polls) {
      return !polls.isEmpty();
    }
  }

  /** How many workers wait. */
  int waiting() {
    synchronized (polls) {
      return polls.size();
    }
  }

  /** Serves who waits; returns how long there is nothing to do. */
  Duration runOnce() {
    List<Poll> waiting = snapshot();
    if (waiting.isEmpty()) {
      return LONGEST_NAP;
    }
    try {
      serve(waiting);
    } catch (LedgerException failure) {
      // It may have taken effect: then those leases run out and are recovered.
      listener.ledgerFailed("lease", failure);
      sendAway(waiting);
      return LEDGER_BACK_OFF;
    }
    sendAway(waiting);
    return nap();
  }

  private List<Poll> snapshot() {
    synchronized (polls) {
      return new ArrayList<>(polls);
    }
  }

  /** Those who have been asked for, and do not want to wait any longer. */
  private void sendAway(List<Poll> asked) {
    long nanos = host.nanoTime();
    for (Poll poll : asked) {
      if (poll.leftNanos(nanos) <= 0 && take(poll)) {
        poll.answer(List.of());
      }
    }
  }

  /** Takes a poll out, for whoever answers it; false when somebody has. */
  private boolean take(Poll poll) {
    synchronized (polls) {
      return polls.remove(poll);
    }
  }

  private Duration nap() {
    long nanos = host.nanoTime();
    Instant now = time.now();
    Duration nap = LONGEST_NAP;
    Set<String> seen = new HashSet<>();
    for (Poll poll : snapshot()) {
      nap = shorter(nap, Duration.ofNanos(Math.max(0, poll.leftNanos(nanos))));
      for (String id : poll.tubeIds) {
        Instant next = seen.add(id) ? schedule.next(id) : Instant.MAX;
        if (next.isBefore(now.plus(nap))) {
          nap = next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
        }
      }
    }
    return nap;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /**
   * What one shard may lease: the workers that want something of it, and its tubes in their turn.
   */
  private record ShardTurn(
      int shard,
      List<Poll> polls,
      Map<String, Instant> since,
      Map<String, TubeSchedule.Mark> marks) {}

  /** Every shard whose tubes are worth asking, the longest waiting first. */
  private void serve(List<Poll> everybody) {
    List<ShardTurn> turns = new ArrayList<>();
    for (int shard = 0; shard < ledger.shards(); shard++) {
      ShardTurn turn = turn(shard, everybody);
      if (!turn.since().isEmpty()) {
        turns.add(turn);
      }
    }
    turns.sort(Comparator.comparing(this::first));
    for (int i = 0; i < turns.size(); i++) {
      claim(turns.get(i), turns.size() - i);
    }
  }

  /** The first of its tubes decides a shard's turn. */
  private Turn first(ShardTurn turn) {
    return turn.since().entrySet().stream()
        .map(tube -> TubeDecisions.turn(limits, tube.getKey(), tube.getValue()))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private ShardTurn turn(int shard, List<Poll> everybody) {
    Instant now = time.now();
    Set<String> due = new LinkedHashSet<>();
    List<Poll> here = new ArrayList<>();
    for (Poll poll : everybody) {
      boolean wants = false;
      for (Tube tube : poll.request.tubes()) {
        if (tube.shard() == shard
            && due.size() < MOST_TUBES
            && !schedule.next(tube.id()).isAfter(now)) {
          due.add(tube.id());
          wants = true;
        }
      }
      if (wants) {
        here.add(poll);
      }
    }
    Map<String, TubeSchedule.Mark> marks = new LinkedHashMap<>();
    due.forEach(id -> marks.put(id, schedule.mark(id)));
    return new ShardTurn(
        shard, here, due.isEmpty() ? Map.of() : waitingSince(shard, due, marks), marks);
  }

  private boolean isWaiting(Poll poll) {
    synchronized (polls) {
      return polls.contains(poll);
    }
  }

  /**
   * One claim.
   *
   * @param shardsLeft with this one: it takes its share of the workers, and what is left over comes
   *     at once in the next round
   */
  private void claim(ShardTurn turn, int shardsLeft) {
    List<Poll> here = turn.polls().stream().filter(this::isWaiting).toList();
    if (here.isEmpty()) {
      return;
    }
    Map<String, Instant> since = turn.since();
    int share = Math.ceilDiv(Workers.placesOf(here), shardsLeft);
    int most = Math.min(MOST_JOBS, share);
    Workers workers = new Workers(here, most, this::idle);
    var decisions = new TubeDecisions(limits, workers, since, lease);
    long began = host.nanoTime();
    Claim claim =
        ledger.claim(
            new ClaimRequest(turn.shard(), List.copyOf(since.keySet()), node, most, MOST_BYTES),
            decisions);
    time.observe(claim.now());
    claim.leased().forEach(listener::sent);
    handOut(decisions.shares(claim.leased()));
    listener.jobsLeased(
        claim.leased().size(), since.size(), Duration.ofNanos(host.nanoTime() - began));
    schedule(claim, decisions, turn.marks(), most);
  }

  /** Since when each tube's first in line waits; a tube with nothing due is left out. */
  private Map<String, Instant> waitingSince(
      int shard, Set<String> due, Map<String, TubeSchedule.Mark> marks) {
    Map<String, Instant> since = new LinkedHashMap<>();
    if (due.size() == 1 && ledger.shards() == 1) {
      since.put(due.iterator().next(), Instant.MIN); // no turn to decide: one question less
      return since;
    }
    Instant now = time.now();
    Map<String, Instant> later = new LinkedHashMap<>();
    for (WalkEntry head : ledger.heads(shard, due)) {
      boolean isLater = head.earliestNotBefore().isAfter(now);
      (isLater ? later : since).put(head.destinationId(), head.earliestNotBefore());
    }
    marks.forEach((id, mark) -> {
      if (!since.containsKey(id)) {
        schedule.served(id, now, mark);
      }
    });
    // Afterwards: it is news, and what was due before would stay due and be asked without a rest.
    later.forEach(schedule::due);
    return since;
  }

  private Duration idle(String pool) {
    synchronized (polls) {
      long since = leasedNanos.getOrDefault(pool, host.nanoTime());
      return Duration.ofNanos(host.nanoTime() - since);
    }
  }

  private void handOut(Map<Poll, List<LeasedJob>> shares) {
    long nanos = host.nanoTime();
    shares.forEach((poll, jobs) -> {
      String poolId = poll.request.poolId();
      synchronized (polls) {
        polls.remove(poll);
        if (poolId != null) {
          leasedNanos.put(poolId, nanos);
        }
      }
      poll.answer(jobs);
    });
  }

  /** Says when each tube that was asked is worth asking again. */
  private void schedule(
      Claim claim, TubeDecisions decisions, Map<String, TubeSchedule.Mark> marks, int most) {
    Instant now = claim.now();
    marks.forEach((id, mark) -> {
      if (claim.skipped().contains(id)) {
        schedule.bar(id, TubeSchedule.Barrier.OUTCOME, now.plus(SKIPPED_AGAIN), mark);
      } else if (claim.absent().contains(id)) {
        schedule.bar(id, TubeSchedule.Barrier.GATE, Instant.MAX, mark);
      }
    });
    int picked = claim.picked().values().stream().mapToInt(Integer::intValue).sum();
    for (TubeDecisions.Asked asked : decisions.asked().values()) {
      String id = asked.asking.destinationId();
      TubeSchedule.Mark mark = marks.get(id);
      if (mark == null) {
        throw new IllegalStateException("asked without a mark: tube " + id);
      }
      switch (asked.decision) {
        case null -> behindGate(id, asked.asking.gate(), mark);
        case Decision.Wait wait when asked.leased == 0 -> bar(id, wait, mark);
        case Decision.Wait _ -> {} // one was lent: ask again
        case Decision.Refuse refuse -> refused(id, refuse, mark);
        case Decision.Admit admit -> {
          boolean allDueTaken =
              picked < most
                  && asked.leased < asked.places.size()
                  && claim.picked().getOrDefault(id, 0) == asked.leased;
          if (allDueTaken) {
            schedule.served(id, now, mark);
            if (admit.mostRetries() < admit.most() || admit.mostBatch() < admit.most()) {
              schedule.due(id, now.plus(PARTLY_ALLOWED_AGAIN));
            }
          } else if (asked.leased > 0) {
            afterSome(id, decisions.next(asked, now), mark);
          }
        }
      }
    }
  }

  private void afterSome(String id, Decision next, TubeSchedule.Mark mark) {
    switch (next) {
      case Decision.Admit _ -> {} // still due
      case Decision.Wait wait -> bar(id, wait, mark);
      case Decision.Refuse refuse -> refused(id, refuse, mark);
    }
  }

  private void behindGate(String id, Gate gate, TubeSchedule.Mark mark) {
    switch (gate.closed()) {
      case DELETED -> closing.shelve(id, Reason.DESTINATION_DELETED, gate.gateNo());
      case DISABLED -> closing.shelve(id, Reason.DESTINATION_DISABLED, gate.gateNo());
      case PAUSED, HELD -> {} // everything is kept
      case null -> {} // not a tube after all
    }
    schedule.bar(id, TubeSchedule.Barrier.GATE, Instant.MAX, mark);
  }

  private void bar(String id, Decision.Wait wait, TubeSchedule.Mark mark) {
    Instant now = time.now();
    Instant soonest = now.plus(SOONEST_AGAIN);
    Instant until = wait.until().isAfter(soonest) ? wait.until() : soonest;
    TubeLimits tube = limits.of(id).tube();
    Instant lends = now.plus(tube.times().idle().dividedBy(LENDING_LOOKS));
    if (tube.lending() && until.isAfter(lends)) {
      until = lends;
    }
    schedule.bar(id, TubeSchedule.Barrier.OUTCOME, until, mark);
  }

  private void refused(String id, Decision.Refuse refuse, TubeSchedule.Mark mark) {
    if (refuse.reason() != RefuseReason.RATE_ZERO) {
      closing.follow(id, refuse.reason());
    }
    schedule.bar(id, TubeSchedule.Barrier.GATE, Instant.MAX, mark);
  }
}
