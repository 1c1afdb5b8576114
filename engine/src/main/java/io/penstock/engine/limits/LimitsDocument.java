package io.penstock.engine.limits;

import java.util.Map;

/**
 * One version of the limits, complete. Immutable; safe for use by many threads.
 *
 * @param defaults of destinations
 * @param destinations what differs from them, by id, each complete: the defaults are merged in
 * @param tenantDefaults of tenants
 * @param tenants what differs from them, by id, each complete
 * @param pools of workers, by name
 */
public record LimitsDocument(
    DestinationLimits defaults,
    Map<String, DestinationLimits> destinations,
    TenantLimits tenantDefaults,
    Map<String, TenantLimits> tenants,
    Map<String, PoolLimits> pools,
    RetentionLimits retention,
    AlertThresholds alerts)
    implements Limits {

  /** What holds without a file. */
  public static final LimitsDocument DEFAULT =
      new LimitsDocument(DestinationLimits.DEFAULT, Map.of());

  public LimitsDocument {
    destinations = Map.copyOf(destinations);
    tenants = Map.copyOf(tenants);
    pools = Map.copyOf(pools);
  }

  /** Of destinations only, with everything else as it comes. */
  public LimitsDocument(DestinationLimits defaults, Map<String, DestinationLimits> destinations) {
    this(
        defaults,
        destinations,
        TenantLimits.DEFAULT,
        Map.of(),
        Map.of(),
        RetentionLimits.DEFAULT,
        AlertThresholds.DEFAULT);
  }

  @Override
  public DestinationLimits of(String destinationId) {
    return destinations.getOrDefault(destinationId, defaults);
  }

  @Override
  public TenantLimits ofTenant(String tenantId) {
    return tenants.getOrDefault(tenantId, tenantDefaults);
  }
}
