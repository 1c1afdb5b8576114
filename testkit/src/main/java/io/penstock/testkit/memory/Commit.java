package io.penstock.testkit.memory;

import java.time.Instant;
import java.util.List;

/**
 * A transaction that took effect.
 *
 * @param now the ledger's time that its rows carry
 */
public record Commit(
    long transaction, Interleave.Operation operation, Instant now, List<Change> changes) {

  /** Hears every commit in the order in which they took effect. Must be quick and not call back. */
  @FunctionalInterface
  public interface Journal {
    void committed(Commit commit);
  }
}
