package io.penstock.engine.ledger;

import java.time.Instant;

/**
 * The one clock of the ledger: every time in a row comes from it. In production it is the
 * database's, read in a statement of its own; in tests the test clock. Microseconds.
 */
@FunctionalInterface
public interface LedgerClock {
  Instant now();
}
