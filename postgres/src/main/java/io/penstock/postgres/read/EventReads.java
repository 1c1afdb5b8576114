package io.penstock.postgres.read;

import io.penstock.postgres.Pool;
import java.util.Optional;
import java.util.UUID;

/** Shows events. Safe for use by many threads. */
public final class EventReads {
  private final Pool pool;

  public EventReads(Pool pool) {
    this.pool = pool;
  }

  /** An event, with its body if asked for; empty when there is none or it is no longer kept. */
  public Optional<EventView> find(UUID eventId, boolean withBody) {
    throw new UnsupportedOperationException();
  }
}
