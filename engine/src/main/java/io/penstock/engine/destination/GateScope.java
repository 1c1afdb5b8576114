package io.penstock.engine.destination;

/** What a gate change covers. */
public sealed interface GateScope {
  /** The whole installation. */
  record Everything() implements GateScope {}

  /** All destinations of one tenant. */
  record OfTenant(String tenantId) implements GateScope {}

  /** One destination. */
  record OfDestination(String destinationId) implements GateScope {}
}
