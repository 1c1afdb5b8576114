package io.penstock.engine.notice;

import java.util.Locale;

/** What operators are told of. */
public enum NoticeKind {
  /** A destination's budget has closed itself and knocks with probes. */
  PARKED,
  /** Penstock holds a destination: refused credentials, a run of rejections, a missing secret. */
  HELD,
  /** A destination takes nothing any more. */
  DISABLED,
  /** What was told of a destination is over. */
  RECOVERED,
  /** Many deliveries of a destination died within a minute. */
  SHELF_GROWING,
  /** A limits file was refused; the last good one stays in force. */
  LIMITS_REFUSED,
  /** A redrive has ended itself. */
  REDRIVE_ABORTED;

  /** The word in the ledger and in payloads. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of a stored word; throws IllegalArgumentException for any other word. */
  public static NoticeKind ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The type of the event that tells it. */
  public String eventType() {
    return "penstock." + word();
  }
}
