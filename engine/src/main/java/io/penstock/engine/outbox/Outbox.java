package io.penstock.engine.outbox;

import io.penstock.engine.ledger.Room;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where applications put events in transactions of their own; each row becomes one event, once. A
 * row leaves in the transaction that stores its event, so that it is never lost and never doubled.
 * Every method is one transaction, blocks, and throws {@link
 * io.penstock.engine.ledger.LedgerException} when the ledger cannot answer. Safe for use by many
 * threads and nodes.
 */
public interface Outbox {

  /**
   * A row that may be expanded.
   *
   * @param number ascending as the rows were enqueued
   * @param bytes of its payload, headers and destinations: what it takes to read it
   */
  record Due(long number, int bytes) {}

  /**
   * What lies there.
   *
   * @param rows that were not expanded yet, counted up to a bound
   * @param capped whether the count came to its bound: there are at least so many
   * @param oldest when the oldest of them was enqueued; null = there is none
   * @param refused rows that lie refused, up to the same bound
   */
  record Depth(long rows, boolean capped, @Nullable Instant oldest, long refused) {
    /** Nothing there. */
    public static final Depth NONE = new Depth(0, false, null, 0);
  }

  /** Rows that may be expanded now, at most {@code most}: new ones oldest first, then put off. */
  List<Due> due(int most);

  /**
   * Expands those of the rows that no other node is at: {@code reader} makes an event of each, the
   * ledger accepts it as it accepts posted ones, and the row goes; or it is moved to the refused
   * ones with a reason, or put off. All of them or none.
   *
   * @throws RuntimeException other than a LedgerException: one of the rows is poison, and nothing
   *     has changed
   */
  Expansion expand(List<Long> numbers, OutboxReader reader, Room room);

  /** Moves one row to the refused ones; false when it is gone or another node is at it. */
  boolean refuse(long number, OutboxRefusal why);

  /** Puts one row off for so long; false when it is gone or another node is at it. */
  boolean defer(long number, Duration wait);

  /** Counts what lies there, with a bound. */
  Depth depth();
}
