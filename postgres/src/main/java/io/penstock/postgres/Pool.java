package io.penstock.postgres;

/** The connections to the ledger. Safe for use by many threads. */
public final class Pool implements AutoCloseable {

  /** Opens the pool. */
  public static Pool open(DatabaseSettings settings) {
    return new Pool();
  }

  @Override
  public void close() {}
}
