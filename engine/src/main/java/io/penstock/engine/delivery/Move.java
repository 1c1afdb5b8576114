package io.penstock.engine.delivery;

import java.time.Instant;

/**
 * The legal moves out of a lease. Each guards on the lease number; a move that finds no such lease
 * changes nothing and is reported as stale. The moves of deliveries that wait ({@code expire},
 * {@code shelve}, {@code cancel}, {@code redrive}) are methods of the ledger, one each.
 */
public sealed interface Move {

  /** leased → delivered. */
  record Deliver(int attempt) implements Move {}

  /**
   * leased → retrying: an attempt was spent; it waits on the retry lane until {@code notBefore}.
   */
  record Retry(int attempt, Instant notBefore) implements Move {}

  /**
   * leased → pending, or retrying when it came from the retry lane: handed back with its lane, its
   * place and its attempts as they were.
   */
  record KeepPlace() implements Move {}

  /** leased → dead, with a dead letter in the same transaction. */
  record Die(int attempt, Reason reason) implements Move {}
}
