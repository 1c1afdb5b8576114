package io.penstock.postgres.read;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which deliveries to list; all conditions hold together.
 *
 * @param tenantIds only of these tenants; empty = of all
 * @param destinationId only for this destination; null = for any
 * @param eventId only of this event; null = of any
 * @param state only in this effective state; null = in any
 */
public record DeliveryFilter(
    Set<String> tenantIds,
    @Nullable String destinationId,
    @Nullable UUID eventId,
    @Nullable ShownState state) {
  public static final DeliveryFilter ALL = new DeliveryFilter(Set.of(), null, null, null);
}
