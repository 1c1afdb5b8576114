package io.penstock.engine.destination;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether a destination may be served at all, as claims read it: the sum of the gates of
 * everything, of its tenant and of itself.
 *
 * @param gateNo raised by every change of any of the three; what is claimed and unsent under an
 *     older one is handed back
 * @param closed why nothing may go; null = open
 * @param reopenedAt the latest resume or release of the three; age limits count from no earlier;
 *     null = never
 */
public record Gate(long gateNo, @Nullable Closed closed, @Nullable Instant reopenedAt) {

  /** The reasons in the order in which they are shown. */
  public enum Closed {
    /** Deleted by its owner: what waited goes to the shelf, nothing new comes. */
    DELETED,
    /** Gone, auto-disabled, or by its owner: what waited and what comes goes to the shelf. */
    DISABLED,
    /** By an operator: everything is kept. */
    PAUSED,
    /** By Penstock, for an operator: everything is kept. */
    HELD
  }
}
