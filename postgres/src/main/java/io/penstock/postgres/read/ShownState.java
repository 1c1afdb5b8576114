package io.penstock.postgres.read;

import java.util.Locale;

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

  /** The state of a stored word; throws IllegalArgumentException for any other word. */
  public static ShownState ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
