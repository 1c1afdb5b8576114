package io.penstock.engine.limits;

/**
 * The limits in force; consulted at every decision, replaced whole. Safe for use by many threads.
 */
@FunctionalInterface
public interface Limits {
  DestinationLimits of(String destinationId);
}
