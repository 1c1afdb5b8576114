package io.penstock.engine.ledger;

import java.time.Duration;

/**
 * Whether there is room for one more delivery; asked while events are accepted. Must not block.
 * Safe for use by many threads.
 */
@FunctionalInterface
public interface Room {
  /** There is always room. */
  Room ENDLESS = (_, _) -> new Free();

  /** Whether one more may wait for this destination of this tenant. */
  Answer of(String tenantId, String destinationId);

  /** What was found. */
  sealed interface Answer {}

  /** One more may wait. */
  record Free() implements Answer {}

  /** The destination is full: its delivery goes to the shelf; the event's others are unharmed. */
  record DestinationFull(Bound bound) implements Answer {}

  /** The tenant is full: its events are refused. */
  record TenantFull(Bound bound) implements Answer {}

  /**
   * A bound that was hit.
   *
   * @param what the thing that is full, in words
   * @param waiting deliveries that waited when it was last counted
   * @param most that may
   * @param retryAfter when to come back, 1 s to 60 s
   */
  record Bound(String what, long waiting, long most, Duration retryAfter) {
    /** What a producer is told. */
    public Acceptance.Full refused() {
      return new Acceptance.Full(what, waiting, most, retryAfter);
    }
  }
}
