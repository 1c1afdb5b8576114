package io.penstock.budget.permit;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Stamp;
import java.time.Duration;
import java.time.Instant;

/**
 * The rules of permits: pure functions of (state, input, now). Where the permits are kept is
 * others' business.
 */
public final class PermitRule {
  /** How much longer than the destination's deadline a permit lives. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  private PermitRule() {}

  /** A state and what came of asking for permits. */
  public sealed interface Asked {
    BudgetState state();

    /**
     * So many permits, which are debited; all of one stamp.
     *
     * @param paceOver spread what they allow over this time; zero = at once
     */
    record Granted(BudgetState state, int count, Stamp stamp, Instant expiresAt, Duration paceOver)
        implements Asked {}

    /** None now. */
    record Denied(BudgetState state, Taken.Denied why) implements Asked {}
  }

  /** Asks for up to {@code most} permits, 1 or more; a parked budget grants one, the probe. */
  public static Asked take(BudgetState state, BudgetSettings settings, int most, Instant now) {
    Budget.Asked asked = Budget.ask(state, settings, now);
    if (!(asked.decision() instanceof Decision.Admit admit)) {
      return new Asked.Denied(asked.state(), Taken.denied(asked.decision(), now));
    }
    int count = Math.max(1, Math.min(most, admit.most()));
    BudgetState debited =
        Budget.debit(asked.state(), settings, new Budget.Debit(count, 0, 0, admit.probe()), now);
    return new Asked.Granted(
        debited,
        count,
        new Stamp(admit.generation(), admit.probe(), false, false),
        now.plus(settings.timeout()).plus(GRACE),
        admit.paceOver());
  }

  /** What a permit's feedback does; it frees the slot. */
  public static BudgetState ended(
      BudgetState state, BudgetSettings settings, Feedback feedback, Instant now) {
    return Budget.feed(state, settings, feedback, now);
  }

  /** What a permit that nobody came back with does: it frees the slot. */
  public static BudgetState expired(
      BudgetState state, BudgetSettings settings, Stamp stamp, Instant now) {
    return Budget.feed(state, settings, new Feedback.LeaseLost(stamp), now);
  }
}
