package io.penstock.server.destination;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.engine.destination.Gate;
import java.util.Locale;

/** The states of a destination in the order in which they are shown: the first that holds. */
public enum DestinationState {
  /** Found no more; what waited for it goes to the shelf. */
  DELETED,
  DISABLED,
  PAUSED,
  HELD,
  /** An operator's own limit: its rate is 0, and nothing goes. */
  RATE_ZERO,
  /** The budget has closed itself; a leased probe knocks. */
  PARKED,
  /** The rate in force is below the ceiling. */
  SHRUNKEN,
  FLOWING;

  /** The word in the API and on screens. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The state to show. */
  public static DestinationState of(Gate gate, BudgetState budget, BudgetSettings settings) {
    if (gate.closed() != null) {
      return switch (gate.closed()) {
        case DELETED -> DELETED;
        case DISABLED -> DISABLED;
        case PAUSED -> PAUSED;
        case HELD -> HELD;
      };
    }
    if (settings.ratePerSecond() == 0) {
      return RATE_ZERO;
    }
    if (budget.parked()) {
      return PARKED;
    }
    return budget.ratePerSecond(settings) < settings.ratePerSecond() ? SHRUNKEN : FLOWING;
  }
}
