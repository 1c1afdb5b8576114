package io.penstock.engine.limits;

import java.util.Map;

/**
 * The limits in force; consulted at every decision, replaced whole. Safe for use by many threads.
 */
@FunctionalInterface
public interface Limits {
  /** The limits of a destination: its own, over the defaults. */
  DestinationLimits of(String destinationId);

  /** The limits of a tenant: its own, over the defaults. */
  default TenantLimits ofTenant(String tenantId) {
    return TenantLimits.DEFAULT;
  }

  /** The pools of workers, by name. */
  default Map<String, PoolLimits> pools() {
    return Map.of();
  }

  /** How long things are kept. */
  default RetentionLimits retention() {
    return RetentionLimits.DEFAULT;
  }

  /** From where on an operator wants to be told. */
  default AlertThresholds alerts() {
    return AlertThresholds.DEFAULT;
  }
}
