package io.penstock.engine.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The decisions inside one claim, pure and quick: the ledger holds row locks meanwhile. */
public interface ClaimRules {

  /** Decides for each destination whose budget was locked. None = nothing may go. */
  List<Grant> decide(Instant now, List<Asking> asking);

  /**
   * The new states of the budgets whose destinations were granted or accrued something, by budget
   * id, after debiting exactly what was leased.
   */
  Map<String, BudgetState> debit(Instant now, List<Leased> leased);

  /**
   * For jobs of tubes: who holds what was leased and what each lease is charged, in any order. None
   * for anything else.
   */
  default List<HeldJob> held(Instant now, List<Leased> leased) {
    return List.of();
  }

  /** A destination with its gate and its locked budget; destinations may share a budget. */
  record Asking(
      String destinationId,
      Destination.Mode mode,
      long configNo,
      Gate gate,
      String budgetId,
      BudgetState state) {}

  /**
   * What one destination may lease. The sum over all grants may exceed the request's bound: then
   * the pick takes first attempts of all granted destinations before any retry, in grant order.
   *
   * @param most deliveries in all, 1 or more
   * @param mostRetries from the retry and redrive lanes together
   * @param mostBatch of batch urgency
   * @param lease how long
   */
  record Grant(String destinationId, int most, int mostRetries, int mostBatch, Duration lease) {}
}
