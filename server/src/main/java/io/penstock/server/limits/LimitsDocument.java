package io.penstock.server.limits;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import java.util.Map;

/**
 * One version of the limits: the defaults, and what differs from them by destination. Immutable;
 * safe for use by many threads.
 *
 * @param destinations by id, each complete: the defaults are merged in already
 */
public record LimitsDocument(
    DestinationLimits defaults, Map<String, DestinationLimits> destinations) implements Limits {

  /** What holds without a file. */
  public static final LimitsDocument DEFAULT =
      new LimitsDocument(DestinationLimits.DEFAULT, Map.of());

  public LimitsDocument {
    destinations = Map.copyOf(destinations);
  }

  @Override
  public DestinationLimits of(String destinationId) {
    return destinations.getOrDefault(destinationId, defaults);
  }
}
