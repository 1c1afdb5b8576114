package io.penstock.engine.delivery;

import java.util.Locale;

/** The stable codes of why a delivery ended without success or was refused. */
public enum Reason {
  /** All attempts that its destination allows were spent. */
  EXHAUSTED,
  /** It grew older than its destination's age limit. */
  EXPIRED,
  /** The receiver will never take it. */
  REJECTED,
  /** The receiver refused our credentials, three times or more. */
  UNAUTHORISED,
  /** The receiver answered 410, or did so before. */
  GONE,
  /** Sent, no answer, and the destination says {@code on_unknown: shelf}. */
  OUTCOME_UNKNOWN,
  /** A header that may not be sent. */
  FORBIDDEN_HEADER,
  /** The body is over the bound. */
  BODY_TOO_LARGE,
  /** Its destination was disabled when it was accepted, or while it waited. */
  DESTINATION_DISABLED,
  /** Its destination was deleted. */
  DESTINATION_DELETED,
  /** Its destination's backlog was full when it was accepted. */
  BACKLOG_FULL,
  /** An operator cancelled it. */
  CANCELLED;

  /** The word in the ledger, the API and on screens. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reason of a stored word; throws IllegalArgumentException for any other word. */
  public static Reason ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
