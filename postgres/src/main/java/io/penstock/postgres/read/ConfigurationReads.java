package io.penstock.postgres.read;

import io.penstock.postgres.Pool;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists tenants, destinations, subscriptions, gates. Safe for use by many threads. */
public final class ConfigurationReads {
  private final Pool pool;

  public ConfigurationReads(Pool pool) {
    this.pool = pool;
  }

  /** Tenants in id order after {@code after} (null = from the start); ids empty = all. */
  public Page<TenantView, String> tenants(
      Set<String> tenantIds, @Nullable String after, int limit) {
    throw new UnsupportedOperationException();
  }

  /** Destinations in id order after {@code after} (null = from the start); ids empty = all. */
  public Page<DestinationView, String> destinations(
      Set<String> tenantIds, @Nullable String after, int limit) {
    throw new UnsupportedOperationException();
  }

  public Optional<TenantView> tenant(String tenantId) {
    throw new UnsupportedOperationException();
  }

  public Optional<DestinationView> destination(String destinationId) {
    throw new UnsupportedOperationException();
  }

  /** The subscriptions of a tenant's destinations, in id order, at most {@code limit}. */
  public List<SubscriptionView> subscriptions(String tenantId, int limit) {
    throw new UnsupportedOperationException();
  }

  /** The gate of everything. */
  public GateView everything() {
    throw new UnsupportedOperationException();
  }
}
