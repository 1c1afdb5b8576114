package io.penstock.postgres.read;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.destination.Gate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A delivery's state as people see it: a waiting one behind a closed gate shows the gate, although
 * only the gate's row was written.
 */
public enum ShownState {
  PENDING,
  RETRYING,
  LEASED,
  DELIVERED,
  DEAD,
  CANCELLED,
  PAUSED,
  HELD,
  DISABLED;

  /** The word in the API and on screens. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The effective state of a row behind a gate. */
  public static ShownState of(DeliveryState state, Gate.@Nullable Closed closed) {
    return switch (state) {
      case PENDING -> closed == null ? PENDING : behind(closed);
      case RETRYING -> closed == null ? RETRYING : behind(closed);
      case LEASED -> LEASED;
      case DELIVERED -> DELIVERED;
      case DEAD -> DEAD;
      case CANCELLED -> CANCELLED;
    };
  }

  private static ShownState behind(Gate.Closed closed) {
    return switch (closed) {
      case DISABLED -> DISABLED;
      case PAUSED -> PAUSED;
      case HELD -> HELD;
    };
  }
}
