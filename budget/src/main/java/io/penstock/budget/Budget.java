package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All rules of one destination's budget, composed: pure functions of (state, input, now). The same
 * functions run in memory, in the simulator, and inside a row lock of the ledger. {@code now} comes
 * from one clock, read inside the critical section.
 *
 * <p>A decision covers everything that a budget has (tokens, slots, pins) or nothing: what is
 * admitted may be debited as a whole, and {@link #ask} alone takes nothing.
 */
public final class Budget {
  private Budget() {}

  /** A state and the decision made from it. */
  public record Asked(BudgetState state, Decision decision) {}

  /** What may go now? Changes nothing but what time itself changes (accrual). */
  public static Asked ask(BudgetState state, BudgetSettings settings, Instant now) {
    Step step = new Step(state, settings, now);
    Decision decision = new Gates(step).decide();
    return new Asked(step.done(), decision);
  }

  /**
   * Debits what was really leased under a decision of the same instant: {@code count} in all, of
   * which {@code retries} from the retry lane and {@code batch} of batch urgency.
   */
  public static BudgetState debit(
      BudgetState state, BudgetSettings settings, Debit debit, Instant now) {
    Step step = new Step(state, settings, now);
    step.take(debit);
    return step.done();
  }

  /** Books one feedback; each lease may be fed back once. */
  public static BudgetState feed(
      BudgetState state, BudgetSettings settings, Feedback feedback, Instant now) {
    Step step = new Step(state, settings, now);
    switch (feedback) {
      case Feedback.Ended ended -> step.ended(ended);
      case Feedback.HandedBack handedBack -> step.handedBack(handedBack.stamp());
      case Feedback.LeaseLost leaseLost ->
          step.ended(
              new Feedback.Ended(
                  leaseLost.stamp(),
                  new Outcome.Unknown(0, Outcome.Unknown.LEASE_LOST),
                  Duration.ZERO));
    }
    return step.done();
  }

  /** Books one feedback of a metered tube; each lease may be fed back once. */
  public static BudgetState feedJob(
      BudgetState state, BudgetSettings settings, JobFeedback feedback, Instant now) {
    Step step = new Step(state, settings, now);
    switch (feedback) {
      case JobFeedback.Ended ended -> step.jobEnded(ended);
      case JobFeedback.Lost lost ->
          step.jobStopped(lost.stamp(), lost.took(), lost.charged(), lost.lent());
      case JobFeedback.Cancelled stopped ->
          step.jobStopped(stopped.stamp(), stopped.took(), stopped.charged(), stopped.lent());
      case JobFeedback.HandedBack handedBack -> {
        step.handedBack(handedBack.stamp());
        step.jobHandedBack(handedBack.charged());
      }
    }
    return step.done();
  }

  /** Resume, release or enable: opens a closed budget with an empty bucket. */
  public static BudgetState reopen(BudgetState state, BudgetSettings settings, Instant now) {
    Step step = new Step(state, settings, now);
    step.reopen();
    return step.done();
  }

  /**
   * What each job of a metered tube is charged when it is leased now; the lease keeps it and names
   * it in its renewals and at its end. Zero for everything else.
   */
  public static Duration chargePerJob(BudgetState state, BudgetSettings settings, Instant now) {
    return new Step(state, settings, now).chargePerJob();
  }

  /**
   * May one job go on what its pool has to spare, when worker-seconds alone stand in the way? The
   * answer is as that of {@link #ask}, or admits one.
   *
   * @param freeWorkers workers of the pool that have nothing to do
   * @param idle how long the pool has leased nothing
   */
  public static Decision askToBorrow(
      BudgetState state, BudgetSettings settings, int freeWorkers, Duration idle, Instant now) {
    Step step = new Step(state, settings, now);
    Decision asked = new Gates(step).decide();
    if (!(asked instanceof Decision.Wait wait)
        || !(wait.reason() instanceof WaitReason.WorkerSeconds)
        || !step.mayBorrow(freeWorkers, idle)) {
      return asked;
    }
    Decision unmetered = new Gates(new Step(state, settings.unmetered(), now)).decide();
    return unmetered instanceof Decision.Admit admit ? admit.atMost(1) : unmetered;
  }

  /** A state and what a lease is charged by now. */
  public record Renewed(BudgetState state, Duration charged) {}

  /**
   * Books a renewal of a tube's lease, at least every 30 s: charges the time {@code held} beyond
   * what was {@code charged}, so that jobs that became long are paid for while they run.
   */
  public static Renewed renew(
      BudgetState state, BudgetSettings settings, Duration charged, Duration held, Instant now) {
    Step step = new Step(state, settings, now);
    step.renewed(charged, held);
    return new Renewed(step.done(), held.compareTo(charged) > 0 ? held : charged);
  }

  /** Why retries wait while first attempts may go, or {@code null} when they may go too. */
  public static Decision.@Nullable Wait retriesWait(
      BudgetState state, BudgetSettings settings, Instant now) {
    return new Gates(new Step(state, settings, now)).retriesWait();
  }

  /** Why batch work waits while interactive work may go, or {@code null} when it may go too. */
  public static Decision.@Nullable Wait batchWait(
      BudgetState state, BudgetSettings settings, Instant now) {
    return new Gates(new Step(state, settings, now)).batchWait();
  }

  /**
   * What a lease costs.
   *
   * @param lent whether worker-seconds are not charged, because the pool had some to spare
   */
  public record Debit(int count, int retries, int batch, boolean probe, boolean lent) {
    /** Of leases that are not lent. */
    public Debit(int count, int retries, int batch, boolean probe) {
      this(count, retries, batch, probe, false);
    }
  }
}
