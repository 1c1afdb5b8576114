package io.penstock.budget;

import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.quota.QuotaUse;
import io.penstock.budget.work.WorkBalance;
import io.penstock.budget.work.WorkSettings;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of a state while one input is applied to it. Opening it brings the state up to
 * now under the limits that held until now, then puts the new ones in force. Never leaves the call
 * that made it.
 */
final class Step {
  /** How long a destination waits whose secret could not be read. */
  private static final long BRIEFLY = 5 * Micros.SECOND;

  /** Below the ceiling, what is stored and what goes at once is at most this much of the rate. */
  private static final double QUANTUM_SECONDS = 0.1;

  /** A Retry-After beyond this parks. */
  private static final Duration LONG_HINT = Duration.ofSeconds(30);

  /** The share of the ceiling that a budget starts with when it is unparked. */
  private static final double UNPARKED_SHARE = 1 / 64.0;

  /** Hold at most this long after a relapse, and ten times as long as the park took. */
  private static final long LONGEST_RELAPSE_HOLD = 600 * Micros.SECOND;

  private static final int RELAPSE_HOLD_PER_PARK = 10;

  final BudgetSettings settings;
  final AdaptiveSettings adaptive;
  final double ceiling;
  final long now;
  final Chance chance;
  final AdaptiveRate rate;
  long generation;
  int inFlight;
  Bucket bucket;
  Pin pin;
  Failures failures;
  Park park;
  RetryAllowance retries;
  Runs runs;
  @Nullable QuotaUse quota;
  @Nullable WorkBalance work;
  @Nullable RefuseReason closed;

  Step(BudgetState state, BudgetSettings settings, Instant at) {
    this.settings = settings;
    adaptive = settings.adaptive();
    ceiling = settings.ratePerSecond();
    now = Micros.of(at);
    chance = new Chance(state.seed);
    generation = state.generation;
    inFlight = state.inFlight;
    closed = state.closed;
    bucket = state.bucket;
    pin = state.pin;
    rate = adaptive.enabled() ? state.rate.copy() : new AdaptiveRate();
    failures = state.failures;
    park = adaptive.enabled() ? state.park : Park.NONE;
    retries = state.retries;
    runs = state.runs;
    long behind = bucket.at() - now;
    if (behind > Bucket.CLOCK_STEP) {
      shift(-behind);
    }
    bucket = bucket.accrue(now, pin.until());
    if (adaptive.enabled()) {
      rate.advance(now, park.parked() ? now : pin.until(), ceiling, chance);
      retries = retries.accrue(adaptive, ceiling, now);
    }
    limitBucket();
    openQuota(state.quota);
    openWork(state.work);
  }

  /**
   * A new window begins with an empty bucket at its boundary, or some jitter later when the last
   * one was exhausted, and in a generation of its own. A parked budget keeps its generation: its
   * probe may be out, and the answer to it counts in whatever window it comes.
   */
  private void openQuota(@Nullable QuotaUse before) {
    QuotaSettings wanted = settings.quota();
    if (wanted == null) {
      quota = before; // kept: a setting that is taken away and put back refills nothing
      return;
    }
    Instant at = Micros.toInstant(now);
    if (before == null) {
      quota = QuotaUse.fresh(wanted, generation, chance.uniform(), at);
    } else if (before.isOver(at)) {
      boolean ended = !at.isBefore(before.end()); // otherwise a clock that was days ahead is back
      if (ended && before.left(wanted) == 0 && before.resumeAt().isAfter(at)) {
        bucket = bucket.emptied();
        pin = pin.atLeastUntil(Micros.of(before.resumeAt()));
      }
      if (!park.parked()) {
        generation++;
      }
      quota = QuotaUse.fresh(wanted, generation, chance.uniform(), at);
    } else {
      quota = before.isOf(wanted) ? before : before.under(wanted, chance.uniform(), at);
    }
  }

  private void openWork(@Nullable WorkBalance before) {
    WorkSettings wanted = settings.work();
    Instant at = Micros.toInstant(now);
    if (wanted == null) {
      work = before;
    } else {
      work = before == null ? WorkBalance.initial(wanted, at) : before.accrue(wanted, at);
    }
  }

  /**
   * A clock that was set back takes every remembered time with it: what was to wait a second still
   * waits a second, and not a second and an hour.
   */
  private void shift(long by) {
    pin = pin.shifted(by);
    rate.shift(by);
    failures = failures.shifted(by);
    park = park.shifted(by);
    retries = retries.shifted(by);
    runs = runs.shifted(by);
  }

  /** Below the ceiling hardly anything is stored, so that no saved burst hits a wall. */
  private void limitBucket() {
    double perSecond = rate.under(ceiling);
    double cap =
        rate.shrunken(ceiling)
            ? Math.min(settings.burst(), Math.max(1, QUANTUM_SECONDS * perSecond))
            : settings.burst();
    bucket = bucket.limitedTo(perSecond, cap);
  }

  BudgetState done() {
    return new BudgetState(
        chance.seed(),
        generation,
        inFlight,
        bucket,
        pin,
        rate,
        failures,
        park,
        retries,
        runs,
        quota,
        work,
        closed);
  }

  void take(Budget.Debit debit) {
    inFlight += debit.count();
    if (quota != null) {
      quota = quota.take(debit.count());
    }
    if (work != null && settings.work() != null && !debit.lent()) {
      work = work.leased(settings.work(), debit.count());
    }
    if (debit.probe()) {
      park = park.probeLeased(Micros.of(settings.timeout()), now);
      return;
    }
    bucket = bucket.take(debit.count());
    rate.debited(debit.count());
    if (adaptive.enabled()) {
      retries = retries.sent(debit.count(), debit.retries(), adaptive, ceiling, now);
    }
  }

  void ended(Feedback.Ended ended) {
    freeSlot();
    BudgetEffect effect = BudgetEffect.of(ended.outcome());
    countFailure(effect);
    boolean fresh = ended.stamp().generation() == generation;
    if (!park.parked()) {
      apply(effect, ended, fresh);
    } else if (ended.stamp().probe() && fresh) {
      probeAnswered(effect, ended);
    } else if (effect == BudgetEffect.CLOSE_GONE || effect == BudgetEffect.HOLD_MISCONFIGURED) {
      apply(effect, ended, fresh);
    } else {
      pin = pin.hinted(ended.outcome().hint(), now, chance);
    }
  }

  /** Late answers and probes count too: all that matters is that nothing was delivered. */
  private void countFailure(BudgetEffect effect) {
    if (effect == BudgetEffect.GROW) {
      runs = runs.noneFailed();
    } else if (effect == BudgetEffect.CUT || effect == BudgetEffect.CUT_WHEN_REPEATED) {
      runs = runs.oneFailed(now);
      if (closed == null && runs.failedDisables(settings.autoDisable(), now)) {
        close(RefuseReason.AUTO_DISABLED);
      }
    }
  }

  private void probeAnswered(BudgetEffect effect, Feedback.Ended ended) {
    if (BudgetEffect.failsProbe(ended.outcome())) {
      pin = pin.hinted(ended.outcome().hint(), now, chance);
      park = park.probeFailed(longestGap(effect), pin.until(), now, chance);
    } else if (ended.outcome() instanceof Outcome.Ours) {
      park = park.probeReturned();
    } else {
      unpark();
      apply(effect, ended, true);
    }
  }

  private void apply(BudgetEffect effect, Feedback.Ended ended, boolean fresh) {
    Hint hint = ended.outcome().hint();
    switch (effect) {
      case GROW -> accepted(ended, fresh);
      case CUT_AND_PIN -> throttled(hint, fresh);
      case CUT, CUT_WHEN_REPEATED -> failed(effect, hint, fresh);
      case COUNT_REJECTED -> {
        runs = runs.oneRejected(now);
        if (runs.rejectedHolds(now)) {
          close(RefuseReason.HELD_REJECTED);
        }
      }
      case COUNT_UNAUTHORISED -> {
        runs = runs.oneUnauthorised();
        if (runs.unauthorisedHolds()) {
          close(RefuseReason.HELD_UNAUTHORISED);
        }
      }
      case CLOSE_GONE -> close(RefuseReason.GONE);
      case HOLD_MISCONFIGURED -> close(RefuseReason.HELD_MISCONFIGURED);
      case PIN_BRIEFLY -> pin = pin.atLeastUntil(now + BRIEFLY);
      case NONE -> {}
    }
    limitBucket();
  }

  private void accepted(Feedback.Ended ended, boolean fresh) {
    runs = Runs.NONE;
    failures = Failures.NONE;
    retries = retries.answered(true);
    if (fresh && !pin.holds(now)) {
      pin = pin.accepted();
    }
    pin = pin.hinted(ended.outcome().hint(), now, chance);
    rate.accepted(fresh, Micros.toSeconds(Micros.of(ended.took())), now);
  }

  private void throttled(Hint hint, boolean fresh) {
    failures = failures.one(now, false);
    retries = retries.answered(false);
    if (!fresh) {
      pin = pin.hinted(hint, now, chance);
    } else {
      bucket = bucket.emptied();
      pin = pin.refused(hint, now, chance);
    }
    if (!adaptive.enabled()) {
      return;
    }
    rate.refused(now);
    cutIfFresh(fresh);
    boolean longHint = hint.stayAway() != null && hint.stayAway().compareTo(LONG_HINT) > 0;
    if (failures.parks(adaptive, now) || (fresh && longHint && adaptive.parkAfterFailures() > 0)) {
      parkNow();
    }
  }

  private void failed(BudgetEffect effect, Hint hint, boolean fresh) {
    failures = failures.one(now, effect == BudgetEffect.CUT_WHEN_REPEATED);
    retries = retries.answered(false);
    pin = pin.hinted(hint, now, chance);
    if (!adaptive.enabled()) {
      return;
    }
    if (effect == BudgetEffect.CUT || failures.cuts()) {
      cutIfFresh(fresh);
    }
    if (failures.parks(adaptive, now)) {
      parkNow();
    }
  }

  private void cutIfFresh(boolean fresh) {
    if (fresh && rate.mayCut(now)) {
      rate.cut(ceiling, adaptive.floor(ceiling), now);
      generation++;
    }
  }

  private void parkNow() {
    if (park.relapsed(now) && rate.knee.setAt() <= park.lastEnded()) {
      rate.knee =
          rate.knee.distrusted(
              Math.min(LONGEST_RELAPSE_HOLD, RELAPSE_HOLD_PER_PARK * park.lastLength()));
    }
    park = park.begin(Micros.of(adaptive.probeGap()), failures.count(), pin.until(), now, chance);
    generation++;
  }

  private void unpark() {
    park = park.end(now);
    failures = Failures.NONE;
    bucket = bucket.emptied();
    rate.restart(Math.max(adaptive.floor(ceiling), ceiling * UNPARKED_SHARE), now);
    generation++;
  }

  private long longestGap(BudgetEffect effect) {
    return Micros.of(
        effect == BudgetEffect.CUT_AND_PIN
            ? adaptive.maxProbeGapThrottled()
            : adaptive.maxProbeGapFailing());
  }

  /**
   * Gone is final for the receiver, so it wins over a hold; so does being disabled. A new
   * generation, so that what is claimed and unsent goes back.
   */
  private void close(RefuseReason reason) {
    if (closed == null) {
      generation++;
    }
    if (reason == RefuseReason.GONE
        || (closed != RefuseReason.GONE && closed != RefuseReason.AUTO_DISABLED)) {
      closed = reason;
    }
  }

  void handedBack(Stamp stamp) {
    freeSlot();
    if (quota != null) {
      quota = quota.giveBack(1, stamp.generation());
    }
    if (stamp.generation() != generation) {
      return;
    }
    if (stamp.probe()) {
      park = park.probeReturned();
    } else {
      bucket = bucket.giveBack(1);
      rate.debited(-1);
    }
  }

  void jobEnded(JobFeedback.Ended job) {
    boolean teaches = job.outcome() instanceof Outcome.Delivered;
    worked(job.took(), job.charged(), job.lent(), teaches, job.noOp());
    ended(new Feedback.Ended(job.stamp(), job.outcome(), job.took()));
  }

  /** A job that ended without anything from where its work goes: it frees its slot and is paid. */
  void jobStopped(Stamp stamp, Duration took, Duration charged, boolean lent) {
    worked(took, charged, lent, false, false);
    freeSlot();
    if (stamp.probe() && stamp.generation() == generation) {
      park = park.probeReturned();
    }
  }

  private void worked(
      Duration took, Duration charged, boolean lent, boolean teaches, boolean noOp) {
    if (work == null || settings.work() == null) {
      return;
    }
    work =
        lent
            ? work.borrowed(settings.work(), took, teaches, noOp)
            : work.ended(settings.work(), charged, took, teaches, noOp);
  }

  boolean mayBorrow(int freeWorkers, Duration idle) {
    return work != null
        && settings.work() != null
        && inFlight < (work.estimate().known() ? settings.work().mostRunning() : 1)
        && work.mayBorrow(settings.work(), freeWorkers, idle);
  }

  void jobHandedBack(Duration charged) {
    if (work != null && settings.work() != null) {
      work = work.handedBack(settings.work(), charged);
    }
  }

  void renewed(Duration charged, Duration held) {
    if (work != null && settings.work() != null) {
      work = work.renewed(settings.work(), charged, held);
    }
  }

  Duration chargePerJob() {
    return work == null ? Duration.ZERO : work.chargePerJob();
  }

  private void freeSlot() {
    inFlight = Math.max(0, inFlight - 1);
  }

  void reopen() {
    closed = null;
    runs = Runs.NONE;
    bucket = bucket.emptied();
    // A probe that is out is waited for as before: two would knock at once.
    generation++;
  }
}
