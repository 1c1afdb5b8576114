package io.penstock.postgres.read;

import io.penstock.engine.delivery.Reason;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters; all conditions hold together, and null means any.
 *
 * @param tenantIds empty = of all tenants
 * @param outcome the class of the last outcome, lower case
 * @param status HTTP status of the last attempt; 0 = without any
 * @param since came to the shelf at this time or later
 * @param until came to the shelf before this time
 * @param onShelf true = lie there still, false = were released since
 */
public record ShelfFilter(
    Set<String> tenantIds,
    @Nullable String destinationId,
    @Nullable String outcome,
    @Nullable Reason reason,
    @Nullable Integer status,
    @Nullable String eventType,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Boolean onShelf) {
  /** Whatever lies on the shelf. */
  public static final ShelfFilter ALL =
      new ShelfFilter(Set.of(), null, null, null, null, null, null, null, true);

  /** What of these lies on the shelf. */
  public static ShelfFilter of(
      Set<String> tenantIds, @Nullable String destinationId, @Nullable Reason reason) {
    return new ShelfFilter(tenantIds, destinationId, null, reason, null, null, null, null, true);
  }
}
