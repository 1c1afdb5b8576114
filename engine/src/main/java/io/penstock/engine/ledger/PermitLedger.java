package io.penstock.engine.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Stamp;
import io.penstock.budget.permit.Permit;
import io.penstock.engine.destination.Gate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Permits of workers that are not ours, beside the budgets that they were taken from: a permit's
 * row exists while it holds its slot, and no longer. Every method is one transaction (or one per
 * destination), blocks, and throws {@link LedgerException} when the ledger cannot answer. Safe for
 * use by many threads.
 */
public interface PermitLedger {

  /**
   * Takes permits of one destination: locks its budget, waiting for whoever has it, reads the clock
   * and the gate, ends what of the destination's permits has expired, lets {@code rules} decide,
   * writes all of it. The ledger's time; empty when there is no such destination.
   */
  Optional<Instant> takePermits(String destinationId, PermitRules rules);

  /** The destination of a permit that is open; empty for one that has ended or never was. */
  Optional<String> destinationOfPermit(int shard, String permitId);

  /** Ends a permit, once. */
  PermitEnd endPermit(int shard, String permitId, PermitRules rules);

  /**
   * Ends expired permits of at most so many destinations of a shard, longest expired first, a
   * transaction for each destination; how many permits.
   */
  int expirePermits(int shard, int mostDestinations, PermitRules rules);

  /** The decisions about permits, pure and quick: the ledger holds row locks meanwhile. */
  interface PermitRules {
    /** Whether anything may expire: not for a while after the ledger's clock has jumped. */
    boolean mayExpire();

    /** The state of a budget after a permit that nobody came back with. */
    BudgetState expired(String destinationId, BudgetState state, Stamp stamp, Instant now);

    /** What is granted, and the state after it. */
    Grant take(String destinationId, BudgetState state, Gate gate, Instant now);

    /** The state of a budget after the feedback of a permit. */
    BudgetState ended(String destinationId, BudgetState state, Stamp stamp, Instant now);
  }

  /** Permits that are to be kept, none = nothing is granted; and the budget's new state. */
  record Grant(BudgetState state, List<Permit> permits) {
    public Grant {
      permits = List.copyOf(permits);
    }
  }

  /** What ending a permit came to. */
  enum PermitEnd {
    /** Its feedback was booked. */
    BOOKED,
    /** It had expired: its slot is free, and its feedback changed nothing else. */
    EXPIRED,
    /** There is no such open permit: it ended before. Nothing was changed. */
    ENDED_BEFORE
  }
}
