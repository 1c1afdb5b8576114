package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of a state while one input is applied to it. Opening it brings the state up to
 * now under the settings that held until now, then puts the new settings in force. Never leaves the
 * call that made it.
 */
final class Step {
  /**
   * When to ask again while all slots are taken. Every feedback frees one and is a better moment;
   * this only bounds the wait if that hint is lost.
   */
  private static final long SLOTS_RECHECK = Micros.SECOND;

  /** How long a destination waits whose secret could not be read. */
  private static final long BRIEFLY = 5 * Micros.SECOND;

  private final BudgetSettings settings;
  private final long now;
  private final Chance chance;
  private long generation;
  private int inFlight;
  private Bucket bucket;
  private Pin pin;
  private Runs runs;
  private @Nullable RefuseReason closed;

  Step(BudgetState state, BudgetSettings settings, Instant at) {
    this.settings = settings;
    now = Micros.of(at);
    chance = new Chance(state.seed);
    generation = state.generation;
    inFlight = state.inFlight;
    closed = state.closed;
    // A clock that was set back takes every remembered time with it: what was to wait a second
    // still waits a second, and not a second and an hour.
    long behind = state.bucket.at() - now;
    boolean setBack = behind > Bucket.CLOCK_STEP;
    pin = setBack ? state.pin.shifted(-behind) : state.pin;
    runs = setBack ? state.runs.shifted(-behind) : state.runs;
    bucket =
        state.bucket.accrue(now, pin.until()).limitedTo(settings.ratePerSecond(), settings.burst());
  }

  BudgetState done() {
    return new BudgetState(chance.seed(), generation, inFlight, bucket, pin, runs, closed);
  }

  Decision decide() {
    if (closed != null) {
      return new Decision.Refuse(closed);
    }
    if (settings.ratePerSecond() == 0) {
      return new Decision.Refuse(RefuseReason.RATE_ZERO);
    }
    if (pin.holds(now)) {
      return waiting(pin.until(), new WaitReason.Pinned(pin.misses(), pin.byHint()));
    }
    int free = settings.slots() - inFlight;
    if (free < 1) {
      return waiting(now + SLOTS_RECHECK, new WaitReason.Slots(inFlight, settings.slots()));
    }
    int tokens = bucket.whole();
    if (tokens < 1) {
      return waiting(
          bucket.readyAt(1, pin.until()),
          new WaitReason.Tokens(bucket.tokens(), bucket.rate(), settings.ratePerSecond()));
    }
    int most = Math.min(tokens, free);
    return new Decision.Admit(most, most, most, false, generation, Duration.ZERO);
  }

  private Decision waiting(long until, WaitReason reason) {
    return new Decision.Wait(Micros.roundedUp(until, now), reason);
  }

  void take(Budget.Debit debit) {
    bucket = bucket.take(debit.count());
    inFlight += debit.count();
  }

  void ended(Feedback.Ended ended) {
    freeSlot();
    Outcome outcome = ended.outcome();
    switch (BudgetEffect.of(outcome)) {
      case GROW -> {
        runs = Runs.NONE;
        if (!pin.holds(now)) {
          pin = pin.accepted();
        }
        pin = pin.hinted(outcome.hint(), now, chance);
      }
      case CUT_AND_PIN -> {
        bucket = bucket.emptied();
        pin = pin.refused(outcome.hint(), now, chance);
      }
      case CUT, CUT_WHEN_REPEATED, NONE -> {}
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
    }
  }

  /** Gone is final for the receiver, so it wins over a hold. */
  private void close(RefuseReason reason) {
    if (closed != RefuseReason.GONE) {
      closed = reason;
    }
  }

  void handedBack(Stamp stamp) {
    freeSlot();
    if (stamp.generation() == generation) {
      bucket = bucket.giveBack(1);
    }
  }

  private void freeSlot() {
    inFlight = Math.max(0, inFlight - 1);
  }

  void reopen() {
    closed = null;
    runs = Runs.NONE;
    bucket = bucket.emptied();
    generation++;
  }
}
