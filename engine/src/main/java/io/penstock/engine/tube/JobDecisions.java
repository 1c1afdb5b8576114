package io.penstock.engine.tube;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.JobFeedback;
import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.CompleteRun;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRules;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.ledger.TubeCount;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.send.Sender;
import io.penstock.engine.settle.SettleDecisions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The decisions of one ending of jobs. What an end does to its delivery and to its budget is
 * decided where that of every attempt is ({@link SettleDecisions}); here a worker's words become an
 * outcome, and the time that was held becomes a charge. Used by one thread, once.
 */
final class JobDecisions implements JobRules {
  private static final byte[] NO_BYTES = {};

  private final List<JobEnd> ends;
  private final SettleDecisions settling;
  private final Limits limits;
  private final Duration lease;
  private final IdentityHashMap<Settlement, JobEnd> endOf = new IdentityHashMap<>();

  /**
   * Nothing decided yet.
   *
   * @param ends how each is to end, in the order of the request
   * @param lease a job that is handed back within this time costs nothing
   */
  JobDecisions(List<JobEnd> ends, SettleDecisions settling, Limits limits, Duration lease) {
    this.ends = ends;
    this.settling = settling;
    this.limits = limits;
    this.lease = lease;
  }

  @Override
  public Settlement settlement(Instant now, HeldJob held, int place) {
    JobEnd end = ends.get(place);
    Settlement settlement =
        switch (end) {
          case JobEnd.Completed done ->
              ended(
                  held,
                  now,
                  new Outcome.Delivered(0, "completed", Hint.NONE),
                  done.noOp(),
                  done.report());
          case JobEnd.Failed failed -> ended(held, now, failed.outcome(), false, failed.report());
          case JobEnd.Released _ -> released(held, now);
          case JobEnd.Lost _ -> lost(held);
        };
    endOf.put(settlement, end);
    return settlement;
  }

  private static Settlement ended(
      HeldJob held, Instant now, Outcome outcome, boolean noOp, byte[] report) {
    Duration took = held.heldAt(now);
    return new Settlement(
        held.lease(),
        new Feedback.Ended(held.stamp(), outcome, took),
        row(held, took, outcome, report),
        null,
        new JobFeedback.Ended(held.stamp(), outcome, took, held.charged(), noOp, held.lent()));
  }

  private static Settlement.AttemptRow row(
      HeldJob held, Duration took, Outcome outcome, byte[] report) {
    return new Settlement.AttemptRow(
        held.heldFrom(),
        took.toNanos() / 1_000,
        Sender.classOf(outcome),
        outcome.detail(),
        outcome.status(),
        report,
        null,
        held.worker());
  }

  /** What was held for longer than a lease was worked on, and worker-time is paid for. */
  private Settlement released(HeldJob held, Instant now) {
    Duration took = held.heldAt(now);
    boolean untouched = took.compareTo(lease) <= 0;
    JobFeedback job =
        untouched && !held.lent()
            ? new JobFeedback.HandedBack(held.stamp(), held.charged())
            : new JobFeedback.Cancelled(held.stamp(), took, held.charged(), held.lent());
    return new Settlement(held.lease(), new Feedback.HandedBack(held.stamp()), null, null, job);
  }

  private static Settlement lost(HeldJob held) {
    Duration took = held.heldAt(held.lease().leaseUntil());
    var outcome = new Outcome.Unknown(0, Outcome.Unknown.LEASE_LOST);
    return new Settlement(
        held.lease(),
        new Feedback.LeaseLost(held.stamp()),
        row(held, took, outcome, NO_BYTES),
        null,
        new JobFeedback.Lost(held.stamp(), took, held.charged(), held.lent()));
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    return settling.moves(now, batch, budgets);
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    return settling.feed(now, applied, budgets);
  }

  @Override
  public List<TubeCount> counts(List<Settlement> applied) {
    Map<String, TubeCount> counts = new LinkedHashMap<>();
    for (Settlement settlement : applied) {
      JobEnd end = end(settlement);
      String id = settlement.lease().key().destinationId();
      counts.merge(id, count(id, settlement, end), JobDecisions::sum);
    }
    return List.copyOf(counts.values());
  }

  private JobEnd end(Settlement settlement) {
    JobEnd end = endOf.get(settlement);
    if (end == null) {
      throw new IllegalStateException("a settlement that was not made here");
    }
    return end;
  }

  @Override
  public List<CompleteRun> completeRuns(List<Settlement> applied) {
    List<CompleteRun> runs = new ArrayList<>();
    for (Settlement settlement : applied) {
      Leased run = settlement.lease();
      String item = run.content().item();
      if (item != null
          && end(settlement) instanceof JobEnd.Completed done
          && Completeness.of(done, limits.of(run.key().destinationId()).tube().emptyWhen())) {
        runs.add(new CompleteRun(run.key(), run.leaseNo(), item, done.artifacts()));
      }
    }
    return runs;
  }

  private static TubeCount count(String id, Settlement settlement, JobEnd end) {
    long micros = settlement.attempt() == null ? 0 : settlement.attempt().durationMicros();
    return switch (end) {
      case JobEnd.Completed done ->
          new TubeCount(
              id,
              1,
              0,
              0,
              0,
              micros,
              Math.max(0, done.yield()),
              done.yield() == 0 ? 1 : 0,
              done.yield() > 0);
      case JobEnd.Failed _ -> new TubeCount(id, 0, 1, 0, 0, micros, 0, 0, false);
      case JobEnd.Lost _ -> new TubeCount(id, 0, 0, 1, 0, micros, 0, 0, false);
      case JobEnd.Released _ -> new TubeCount(id, 0, 0, 0, 1, 0, 0, 0, false);
    };
  }

  private static TubeCount sum(TubeCount a, TubeCount b) {
    return new TubeCount(
        a.destinationId(),
        a.completed() + b.completed(),
        a.failed() + b.failed(),
        a.lost() + b.lost(),
        a.released() + b.released(),
        a.workedMicros() + b.workedMicros(),
        a.yielded() + b.yielded(),
        b.anyYield() ? b.emptyRuns() : a.emptyRuns() + b.emptyRuns(),
        a.anyYield() || b.anyYield());
  }
}
