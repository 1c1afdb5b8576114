package io.penstock.budget;

import java.time.Instant;

/**
 * All rules of one destination's budget, composed: pure functions of (state, input, now). The same
 * functions run in memory, in the simulator, and inside a row lock of the ledger.
 */
public final class Budget {
  private Budget() {}

  /** A state and the decision made from it. */
  public record Asked(BudgetState state, Decision decision) {}

  /** What may go now? Changes nothing but what time itself changes (accrual). */
  public static Asked ask(BudgetState state, BudgetSettings settings, Instant now) {
    throw new AssertionError();
  }

  /**
   * Debits what was really leased under a decision of the same instant: {@code count} in all, of
   * which {@code retries} from the retry lane and {@code batch} of batch urgency.
   */
  public static BudgetState debit(
      BudgetState state, BudgetSettings settings, Debit debit, Instant now) {
    throw new AssertionError();
  }

  /** Books one feedback. */
  public static BudgetState feed(
      BudgetState state, BudgetSettings settings, Feedback feedback, Instant now) {
    throw new AssertionError();
  }

  /** Resume, release or enable: opens a closed budget with an empty bucket. */
  public static BudgetState reopen(BudgetState state, BudgetSettings settings, Instant now) {
    throw new AssertionError();
  }

  /** What a lease costs. */
  public record Debit(int count, int retries, int batch, boolean probe) {}
}
