package io.penstock.engine.redrive;

import java.util.Locale;

/** What became of one message of a redrive. */
public enum RedriveOutcome {
  WAITING,
  RETRYING,
  DELIVERED,
  DEAD,
  CANCELLED,
  LOST,
  SKIPPED;

  /** Whether it may still change. */
  public boolean open() {
    return this == WAITING || this == RETRYING;
  }

  /** The word in the ledger, the API and on screens. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The outcome of a stored word; throws IllegalArgumentException for any other word. */
  public static RedriveOutcome ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
