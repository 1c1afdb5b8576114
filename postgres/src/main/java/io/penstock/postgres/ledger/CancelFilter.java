package io.penstock.postgres.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which waiting deliveries to cancel: of a destination or of a tenant, never of everybody.
 *
 * @param destinationId null = of all destinations of the tenant
 * @param tenantId null = whatever tenant the destination has
 * @param eventType only of this type; null = of any
 * @param agedBefore only those whose age counts from before this time; null = of any age
 */
public record CancelFilter(
    @Nullable String destinationId,
    @Nullable String tenantId,
    @Nullable String eventType,
    @Nullable Instant agedBefore) {
  public CancelFilter {
    if (destinationId == null && tenantId == null) {
      throw new IllegalArgumentException("a cancel names a destination or a tenant; got neither");
    }
  }
}
