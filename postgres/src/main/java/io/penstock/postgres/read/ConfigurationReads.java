package io.penstock.postgres.read;

import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Lists tenants, destinations, subscriptions, gates. Safe for use by many threads. */
public final class ConfigurationReads {
  private static final String DESTINATIONS = Sql.of(ConfigurationReads.class, "destinations.sql");

  private final Pool pool;

  public ConfigurationReads(Pool pool) {
    this.pool = pool;
  }

  /**
   * Tenants in id order after {@code after} (null = from the start); ids empty = all.
   *
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<TenantView, String> tenants(
      Set<String> tenantIds, @Nullable String after, int limit) {
    Page.check(limit);
    List<TenantView> found =
        pool.transaction(
            Use.CALLER,
            handle -> {
              Reads.enter(handle);
              return tenants(handle, tenantIds, after == null ? "" : after, limit + 1);
            });
    return Page.of(found, limit, TenantView::tenantId);
  }

  static List<TenantView> tenants(
      Handle handle, Collection<String> tenantIds, String after, int limit) {
    return handle
        .createQuery(
            """
            select tenant_id, name, created_at, disabled, paused, held, gate_no, reopened_at
            from penstock.tenant
            where (:tenants::text[] is null or tenant_id = any(:tenants)) and tenant_id > :after
            order by tenant_id
            limit :limit
            """)
        .bind("tenants", Reads.anyOf(tenantIds))
        .bind("after", after)
        .bind("limit", limit)
        .map((row, context) -> ConfigurationRows.tenant(row))
        .list();
  }

  /**
   * Destinations in id order after {@code after} (null = from the start); ids empty = all.
   *
   * @param limit 1 to {@link Page#MOST_ITEMS}
   */
  public Page<DestinationView, String> destinations(
      Set<String> tenantIds, @Nullable String after, int limit) {
    Page.check(limit);
    List<DestinationView> found =
        pool.transaction(
            Use.CALLER,
            handle -> {
              Reads.enter(handle);
              return handle
                  .createQuery(DESTINATIONS)
                  .bind("tenants", Reads.anyOf(tenantIds))
                  .bind("destination", (String) null)
                  .bind("shard", 0)
                  .bind("after", after == null ? "" : after)
                  .bind("limit", limit + 1)
                  .map((row, context) -> ConfigurationRows.destination(row))
                  .list();
            });
    return Page.of(found, limit, one -> one.destination().id());
  }

  public Optional<TenantView> tenant(String tenantId) {
    return pool.read(Use.CALLER, handle -> tenants(handle, Set.of(tenantId), "", 1)).stream()
        .findFirst();
  }

  public Optional<DestinationView> destination(String destinationId) {
    return pool.read(Use.CALLER, handle -> destination(handle, pool.shards(), destinationId));
  }

  /** Those of these destinations that exist, in the order asked; one connection for all of them. */
  public List<DestinationView> destinations(List<String> destinationIds) {
    int shards = pool.shards();
    return pool.read(
        Use.CALLER,
        handle ->
            destinationIds.stream()
                .flatMap(id -> destination(handle, shards, id).stream())
                .toList());
  }

  static Optional<DestinationView> destination(Handle handle, int shards, String destinationId) {
    return handle
        .createQuery(DESTINATIONS)
        .bind("tenants", Reads.anyOf(Set.of()))
        .bind("destination", destinationId)
        .bind("shard", Shard.of(destinationId, shards))
        .bind("after", "")
        .bind("limit", 1)
        .map((row, context) -> ConfigurationRows.destination(row))
        .findOne();
  }

  /** The subscriptions of a tenant's destinations, in id order, at most {@code limit}. */
  public List<SubscriptionView> subscriptions(String tenantId, int limit) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select tenant_id, destination_id,
                      array_agg(type order by type) filter (where type <> '') as types
                    from penstock.subscription
                    where tenant_id = :tenant
                    group by tenant_id, destination_id
                    order by destination_id
                    limit :limit
                    """)
                .bind("tenant", tenantId)
                .bind("limit", limit)
                .map((row, context) -> {
                  var types = row.getArray("types");
                  return new SubscriptionView(
                      row.getString("tenant_id"),
                      row.getString("destination_id"),
                      types == null ? List.of() : Bind.strings(types));
                })
                .list());
  }

  /** The gate of everything. */
  public GateView everything() {
    return pool.read(Use.CALLER, ConfigurationReads::everything);
  }

  static GateView everything(Handle handle) {
    return handle
        .createQuery(
            "select disabled, paused, held, gate_no, reopened_at from penstock.installation")
        .map((row, context) -> ConfigurationRows.gate(row))
        .one();
  }
}
