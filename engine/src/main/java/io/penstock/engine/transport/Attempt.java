package io.penstock.engine.transport;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.limits.OutcomeOverrides;
import java.time.Duration;
import java.time.Instant;

/**
 * One try of a delivery, about to start.
 *
 * @param sentAt the ledger's time, for the signature's timestamp
 * @param body where the raw bytes come from
 * @param deadline for the whole attempt, from the look-up of the name to the end of the answer
 * @param outcomes which statuses mean another outcome at this destination
 * @param departure asked once, when nothing but the way to the receiver is left
 */
public record Attempt(
    Leased delivery,
    Destination destination,
    Instant sentAt,
    Body body,
    Duration deadline,
    OutcomeOverrides outcomes,
    Departure departure) {

  /** The last word of whoever starts an attempt, which may have waited for a thread meanwhile. */
  @FunctionalInterface
  public interface Departure {
    /** Whether it may go; if not, it was taken back, and nothing may be sent or completed. */
    boolean mayGo();
  }

  /** The raw bytes of the event, perhaps read late. */
  @FunctionalInterface
  public interface Body {
    /**
     * Borrows the bytes; may block while other large bodies are out. Throws {@link
     * io.penstock.engine.ledger.LedgerException} when the ledger cannot give them.
     */
    Loan borrow();
  }

  /** Bytes on loan; close it when they are written. */
  public interface Loan extends AutoCloseable {
    byte[] bytes();

    @Override
    void close();
  }
}
