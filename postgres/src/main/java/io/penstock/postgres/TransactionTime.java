package io.penstock.postgres;

import java.time.Instant;

/** What time it is in a transaction, asked after its locks are taken. */
@FunctionalInterface
public interface TransactionTime {
  /** The database's own clock. */
  TransactionTime DATABASE = databaseTime -> databaseTime;

  /** The time to use, given what the database's clock said; in tests, the test clock's. */
  Instant at(Instant databaseTime);
}
