package io.penstock.gameday.sim;

import io.penstock.engine.destination.GateScope;
import io.penstock.testkit.memory.Change.GateRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Since when, by the true time, the gates in front of a destination are closed. */
final class GateModel {
  /** Open. */
  static final long OPEN = Long.MAX_VALUE;

  private final Map<GateScope, Long> closedSince = new HashMap<>();
  private final Map<String, Long> deletedSince = new HashMap<>();

  void changed(GateScope scope, GateRow row, long nanos) {
    if (row.disabled() || row.paused() || row.held()) {
      closedSince.putIfAbsent(scope, nanos);
    } else {
      closedSince.remove(scope);
    }
  }

  /** Deleted for good: no reopening helps. */
  void deleted(String destinationId, long nanos) {
    deletedSince.putIfAbsent(destinationId, nanos);
  }

  /** Since when a destination is deleted; {@link #OPEN} when it is not. */
  long deletedSince(String destinationId) {
    return deletedSince.getOrDefault(destinationId, OPEN);
  }

  /** Whether its own gate is closed, whatever those above it are. */
  boolean closedByItself(String destinationId) {
    return closedSince.containsKey(new GateScope.OfDestination(destinationId));
  }

  /** When the first of its gates that are closed now was closed; {@link #OPEN} when none is. */
  long closedSince(String tenantId, String destinationId) {
    long since = deletedSince(destinationId);
    for (GateScope scope :
        List.of(
            new GateScope.Everything(),
            new GateScope.OfTenant(tenantId),
            new GateScope.OfDestination(destinationId))) {
      since = Math.min(since, closedSince.getOrDefault(scope, OPEN));
    }
    return since;
  }
}
