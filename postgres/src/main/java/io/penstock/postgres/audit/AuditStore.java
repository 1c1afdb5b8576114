package io.penstock.postgres.audit;

import io.penstock.engine.ledger.Audit;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;

/**
 * Writes to the audit what is done outside the ledger, in a transaction of its own and before it is
 * done. Safe for use by many threads.
 */
public final class AuditStore {
  private final Pool pool;

  public AuditStore(Pool pool) {
    this.pool = pool;
  }

  /**
   * Writes one line.
   *
   * @param action a word of the form {@code thing.verb}
   * @param subject the id of what is acted on
   */
  public void write(Audit by, String action, String subject) {
    pool.transaction(
        Use.CALLER,
        handle -> {
          AuditLog.write(handle, pool.now(handle), by, action, subject);
          return true;
        });
  }
}
