package io.penstock.engine.ledger;

/**
 * A circumstance, not a bug: the ledger could not answer (connection, time-out, lock, disk). What
 * was asked may or may not have taken effect; every caller must be right in both cases.
 */
public final class LedgerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public LedgerException(String message, Throwable cause) {
    super(message, cause);
  }

  public LedgerException(String message) {
    super(message);
  }
}
