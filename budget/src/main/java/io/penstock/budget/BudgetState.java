package io.penstock.budget;

import java.time.Instant;

/**
 * The state of one destination's budget: one immutable value with a version, stored as one text in
 * one column. Its parts are the budget module's own; everyone else passes it on.
 */
public final class BudgetState {
  private BudgetState() {}

  /** A new budget at {@code now}; {@code seed} feeds its jitter, so that a replay is exact. */
  public static BudgetState initial(BudgetSettings settings, long seed, Instant now) {
    throw new AssertionError();
  }

  /** Reads what {@link #encode} wrote, of this or any earlier version. */
  public static BudgetState decode(String text) {
    throw new AssertionError();
  }

  /** One line of printable ASCII, beginning with the version. */
  public String encode() {
    throw new AssertionError();
  }

  /** How many are leased and not yet fed back. */
  public int inFlight() {
    throw new AssertionError();
  }

  /** Raised by every cut, park, unpark and reopening. */
  public long generation() {
    throw new AssertionError();
  }

  /** The rate in force now, per second. */
  public double ratePerSecond(BudgetSettings settings) {
    throw new AssertionError();
  }

  /** Whether the budget has closed itself and knocks with probes. */
  public boolean parked() {
    throw new AssertionError();
  }
}
