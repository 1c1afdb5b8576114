package io.penstock.engine.redrive;

import io.penstock.engine.delivery.Reason;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters of a destination. Each condition narrows; an empty set or null asks for
 * nothing. What counts is the last death of a delivery: an older record of one that was redriven
 * since never matches.
 *
 * @param outcomes classes of the last outcome, for instance {@code rejected}
 * @param statuses HTTP statuses of the last attempt, 0 = it had none
 * @param diedFrom died at this time or later
 * @param diedBefore died before this time
 * @param types event types
 */
public record RedriveFilter(
    String destinationId,
    Set<String> outcomes,
    Set<Reason> reasons,
    Set<Integer> statuses,
    @Nullable Instant diedFrom,
    @Nullable Instant diedBefore,
    Set<String> types,
    Set<UUID> eventIds) {
  /** One request names at most so many values of a condition. */
  public static final int MOST_VALUES = 1_000;

  public RedriveFilter {
    outcomes = Set.copyOf(outcomes);
    reasons = Set.copyOf(reasons);
    statuses = Set.copyOf(statuses);
    types = Set.copyOf(types);
    eventIds = Set.copyOf(eventIds);
    most("outcomes", outcomes);
    most("statuses", statuses);
    most("types", types);
    most("events", eventIds);
    if (diedFrom != null && diedBefore != null && !diedFrom.isBefore(diedBefore)) {
      throw new IllegalArgumentException(
          "died_from must lie before died_before, got %s and %s".formatted(diedFrom, diedBefore));
    }
  }

  /** Everything that lies on a destination's shelf. */
  public static RedriveFilter allOf(String destinationId) {
    return new RedriveFilter(
        destinationId, Set.of(), Set.of(), Set.of(), null, null, Set.of(), Set.of());
  }

  private static void most(String name, Set<?> values) {
    if (values.size() > MOST_VALUES) {
      throw new IllegalArgumentException(
          "%s may name at most %,d values, got %,d".formatted(name, MOST_VALUES, values.size()));
    }
  }
}
