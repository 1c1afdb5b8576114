package io.penstock.budget;

/**
 * What an outcome does to a budget: the budget column of the outcome matrix, as one table. The
 * engine keeps the other columns.
 */
public enum BudgetEffect {
  /** Success: ends the runs of failures and lets the rate grow. */
  GROW,
  /** Halves the rate once per generation, empties the bucket and pins it; counts to park. */
  CUT_AND_PIN,
  /** Halves the rate once per generation without a pin; counts to park. */
  CUT,
  /** Cuts from the third failure in a row on, without a pin; counts to park. */
  CUT_WHEN_REPEATED,
  /** A run of them holds the destination; the rate stays. */
  COUNT_REJECTED,
  /** A shorter run of them holds the destination; the rate stays. */
  COUNT_UNAUTHORISED,
  /** Closes the budget: the receiver is gone. */
  CLOSE_GONE,
  /** Closes the budget at once: our configuration of it is wrong. */
  HOLD_MISCONFIGURED,
  /** Waits a little: our side cannot send to it right now. */
  PIN_BRIEFLY,
  /** Says nothing about the receiver. */
  NONE;

  /** The table. */
  public static BudgetEffect of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Delivered _ -> GROW;
      case Outcome.Throttled _ -> CUT_AND_PIN;
      case Outcome.Transient _ -> CUT_WHEN_REPEATED;
      case Outcome.Unknown unknown ->
          switch (unknown.detail()) {
            case Outcome.Unknown.TIMED_OUT -> CUT;
            case Outcome.Unknown.LEASE_LOST -> NONE;
            default -> CUT_WHEN_REPEATED;
          };
      case Outcome.Rejected _ -> COUNT_REJECTED;
      case Outcome.Unauthorised _ -> COUNT_UNAUTHORISED;
      case Outcome.Gone _ -> CLOSE_GONE;
      case Outcome.Unsendable _ -> NONE;
      case Outcome.Misconfigured wrong ->
          wrong.detail().equals(Outcome.Misconfigured.SECRET_STORE_SILENT)
              ? PIN_BRIEFLY
              : HOLD_MISCONFIGURED;
      case Outcome.Ours _ -> NONE;
    };
  }

  /** Whether this answer to the probe of a parked budget keeps it parked. */
  public static boolean failsProbe(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Throttled _, Outcome.Transient _, Outcome.Unknown _ -> true;
      case Outcome.Delivered _,
          Outcome.Rejected _,
          Outcome.Unauthorised _,
          Outcome.Gone _,
          Outcome.Unsendable _,
          Outcome.Misconfigured _,
          Outcome.Ours _ ->
          false;
    };
  }
}
