package io.penstock.engine.delivery;

import java.util.Locale;

/**
 * Where a delivery stands. The first three are rows of the hot table; the rest have left it. The
 * legal moves between them are in {@link Move} and drawn in {@code docs/states.md}.
 */
public enum DeliveryState {
  PENDING,
  RETRYING,
  LEASED,
  DELIVERED,
  DEAD,
  CANCELLED;

  /** The word in the ledger, the API and on screens. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The state of a stored word; throws IllegalArgumentException for any other word. */
  public static DeliveryState ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
