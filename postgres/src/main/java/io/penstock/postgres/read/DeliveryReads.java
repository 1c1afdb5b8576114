package io.penstock.postgres.read;

import io.penstock.postgres.Pool;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists and shows deliveries, waiting and ended ones alike. Safe for use by many threads. */
public final class DeliveryReads {
  private final Pool pool;

  public DeliveryReads(Pool pool) {
    this.pool = pool;
  }

  /** Deliveries newest first, after {@code before} (null = from the newest). */
  public Page<DeliveryView, DeliveryCursor> page(
      DeliveryFilter filter, @Nullable DeliveryCursor before, int limit) {
    throw new UnsupportedOperationException();
  }

  /** One delivery with its attempts; empty when there is none or it is no longer kept. */
  public Optional<DeliveryDetail> find(String destinationId, UUID eventId) {
    throw new UnsupportedOperationException();
  }

  /** How many wait for a destination now, up to {@code most}: then at least so many. */
  public long waiting(String destinationId, int most) {
    throw new UnsupportedOperationException();
  }
}
