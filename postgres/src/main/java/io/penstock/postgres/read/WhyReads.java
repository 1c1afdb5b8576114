package io.penstock.postgres.read;

import io.penstock.postgres.Pool;
import java.util.Optional;
import java.util.UUID;

/** Reads why things wait. Safe for use by many threads. */
public final class WhyReads {
  private final Pool pool;

  public WhyReads(Pool pool) {
    this.pool = pool;
  }

  /** Why a destination waits; empty when it does not exist. */
  public Optional<WaitingView> destination(String destinationId) {
    throw new UnsupportedOperationException();
  }

  /** Why a delivery waits; empty when it does not exist. */
  public Optional<WaitingView> delivery(String destinationId, UUID eventId) {
    throw new UnsupportedOperationException();
  }
}
