package io.penstock.engine.tube;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.JobsEnded;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.RenewRules;
import io.penstock.engine.ledger.Renewal;
import io.penstock.engine.ledger.Renewals;
import io.penstock.engine.ledger.SettleRules.LockedBudget;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.settle.SettleDecisions;
import io.penstock.engine.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Jobs for outside workers: leases them from tubes, renews, ends and recovers the leases. Safe for
 * use by many threads; nothing here blocks but the loops.
 */
public final class Tubes {
  /** Between looks for leases that ran out: a lost job is back within its lease plus this. */
  static final Duration RECOVERY_INTERVAL = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final LedgerTime time;
  private final Host host;
  private final Limits limits;
  private final TubeSettings settings;
  private final Wakeup wakeup;
  private final NodeListener listener;
  private final TubeSchedule schedule = new TubeSchedule();
  private final Presence presence = new Presence();
  private final Leaser leaser;
  private final Desk<JobRef, Optional<Instant>> renewing;
  private final Desk<Ending, Optional<Settled.Applied>> ending;
  private final Loop leasing;
  private final Loop renewals;
  private final Loop endings;
  private final Loop recovery;

  /** A lease and how it is to end. */
  private record Ending(JobRef job, JobEnd end) {}

  public Tubes(
      String node,
      Ledger ledger,
      LedgerTime time,
      Host host,
      Limits limits,
      TubeSettings settings,
      Wakeup wakeup,
      GateKeeper closing,
      NodeListener listener) {
    this.ledger = ledger;
    this.time = time;
    this.host = host;
    this.limits = limits;
    this.settings = settings;
    this.wakeup = wakeup;
    this.listener = listener;
    this.leaser =
        new Leaser(
            node,
            ledger,
            schedule,
            time,
            host,
            limits,
            settings.lease(),
            closing,
            this::wakeLeasing,
            listener);
    this.renewing = new Desk<>(this::renewAll, this::wakeRenewals);
    this.ending = new Desk<>(this::endAll, this::wakeEndings);
    this.leasing = new Loop("lease", host, leaser::runOnce);
    this.renewals = new Loop("renew", host, renewing::runOnce);
    this.endings = new Loop("end-jobs", host, ending::runOnce);
    this.recovery = new Loop("recover-jobs", host, this::recoverOnce);
  }

  public void start() {
    endings.start();
    renewals.start();
    leasing.start();
    recovery.start();
  }

  /**
   * Leases nothing more: who waits goes away with nothing. Leases are renewed and ended as before.
   */
  public void stopLeasing() {
    leaser.stop();
    leasing.stop();
    recovery.stop();
  }

  /** Stops everything, once nobody calls any more. */
  public void stop() {
    stopLeasing();
    renewals.stop();
    endings.stop();
  }

  /**
   * One step of every loop, for a test that owns the time and starts none; how long there is
   * nothing to lease.
   */
  Duration runAllOnce() {
    var _ = ending.runOnce();
    var _ = renewing.runOnce();
    return leaser.runOnce();
  }

  // ---- what workers ask

  /**
   * Leases jobs, or waits for some; an empty answer = there was nothing in that time. False when
   * too many workers wait already; the reply is not used then.
   */
  public boolean lease(LeaseRequest request, Reply<List<LeasedJob>> reply) {
    presence.polled(request, time.now());
    return leaser.poll(request, reply);
  }

  /** Extends a lease; empty = it is lost. */
  public void renew(JobRef job, Reply<Optional<Instant>> reply) {
    renewing.ask(job.key().shard(), job, reply);
  }

  /** Ends a lease; empty = it was lost before, and nothing was changed. */
  public void end(JobRef job, JobEnd end, Reply<Optional<Settled.Applied>> reply) {
    ending.ask(job.key().shard(), new Ending(job, end), reply);
  }

  /** How leases are. */
  public TubeSettings settings() {
    return settings;
  }

  /** Who was heard of. */
  public Presence presence() {
    return presence;
  }

  /** Workers that wait on this node. */
  public int waitingWorkers() {
    return leaser.waiting();
  }

  // ---- hints

  /** Whether this id is known to be a tube's. */
  public boolean knows(String destinationId) {
    return schedule.knows(destinationId);
  }

  /** Something waits in this tube. */
  public void due(String tubeId) {
    schedule.due(tubeId, time.now());
    wakeWhoWaits();
  }

  /** Another node says so: it may also have ended a job. */
  public void dueElsewhere(String tubeId) {
    schedule.outcome(tubeId, time.now());
    wakeWhoWaits();
  }

  /** Gates or limits changed: what they might have barred is asked again. */
  public void gatesChanged() {
    schedule.gatesChanged(time.now());
    wakeWhoWaits();
  }

  private void wakeWhoWaits() {
    if (leaser.hasPolls()) {
      leasing.wake();
    }
  }

  private void wakeLeasing() {
    leasing.wake();
  }

  private void wakeRenewals() {
    renewals.wake();
  }

  private void wakeEndings() {
    endings.wake();
  }

  // ---- transactions

  private List<Optional<Instant>> renewAll(int shard, List<JobRef> jobs) {
    List<Renewal> batch = jobs.stream().map(job -> new Renewal(job, settings.lease())).toList();
    Renewals renewed = ledger.renew(shard, batch, this::charge);
    time.observe(renewed.now());
    int lost = (int) renewed.until().stream().filter(Optional::isEmpty).count();
    listener.jobsRenewed(jobs.size() - lost, lost);
    return renewed.until();
  }

  private RenewRules.Charged charge(
      Instant now, List<HeldJob> held, Map<String, LockedBudget> budgets) {
    Map<String, BudgetState> states = new HashMap<>();
    List<Duration> charged = new ArrayList<>();
    for (HeldJob job : held) {
      presence.renewed(job.worker(), job.poolId(), now);
      String id = job.lease().key().destinationId();
      LockedBudget budget = budgets.get(id);
      if (budget == null || job.lent()) {
        charged.add(job.charged());
        continue;
      }
      BudgetState before = states.getOrDefault(budget.budgetId(), budget.state());
      Budget.Renewed renewed =
          Budget.renew(before, limits.of(id).tubeBudget(), job.charged(), job.heldAt(now), now);
      states.put(budget.budgetId(), renewed.state());
      charged.add(renewed.charged());
    }
    return new RenewRules.Charged(states, charged);
  }

  private List<Optional<Settled.Applied>> endAll(int shard, List<Ending> batch) {
    SettleDecisions settling = new SettleDecisions(limits, host.random());
    var decisions =
        new JobDecisions(batch.stream().map(Ending::end).toList(), settling, settings.lease());
    long began = host.nanoTime();
    JobsEnded ended = ledger.endJobs(shard, batch.stream().map(Ending::job).toList(), decisions);
    time.observe(ended.now());
    int lost = (int) ended.jobs().stream().filter(Optional::isEmpty).count();
    listener.jobsEnded(batch.size() - lost, lost, Duration.ofNanos(host.nanoTime() - began));
    listener.settled(
        new Settled(
            ended.now(), ended.jobs().stream().flatMap(Optional::stream).toList(), List.of()),
        Duration.ofNanos(host.nanoTime() - began));
    listener.seen(settling.sightings());
    tellOf(shard, ended);
    return ended.jobs();
  }

  private void tellOf(int shard, JobsEnded ended) {
    Map<String, Instant> tubes = new LinkedHashMap<>();
    for (Optional<Settled.Applied> job : ended.jobs()) {
      job.ifPresent(applied -> {
        String id = applied.settlement().lease().key().destinationId();
        tubes.put(id, ended.now());
        if (applied.move() instanceof Move.Retry retry) {
          schedule.due(id, retry.notBefore());
        }
      });
    }
    tubes.forEach(schedule::outcome);
    if (!tubes.isEmpty()) {
      wakeup.due(shard, tubes.keySet());
    }
    wakeWhoWaits();
  }

  /** Ends what ran out, in all shards; returns how long to rest. */
  Duration recoverOnce() {
    boolean more = false;
    try {
      time.observe(ledger.now());
      if (!time.trusted()) {
        return RECOVERY_INTERVAL;
      }
      for (int shard = 0; shard < ledger.shards(); shard++) {
        more |= recover(shard);
      }
    } catch (LedgerException failure) {
      listener.ledgerFailed("recover-jobs", failure);
    }
    return more ? Duration.ZERO : RECOVERY_INTERVAL;
  }

  private boolean recover(int shard) {
    List<HeldJob> lost = ledger.expiredJobs(shard, Desk.MOST);
    if (lost.isEmpty()) {
      return false;
    }
    listener.leasesLost(lost.size());
    var _ =
        endAll(
            shard,
            lost.stream()
                .map(job ->
                    new Ending(
                        new JobRef(job.lease().key(), job.lease().leaseNo()), new JobEnd.Lost()))
                .toList());
    return lost.size() == Desk.MOST;
  }
}
