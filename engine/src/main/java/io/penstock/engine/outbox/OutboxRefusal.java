package io.penstock.engine.outbox;

import java.util.Locale;

/**
 * Why a row became no event.
 *
 * @param detail for people: what was wanted and what was got; never holds a secret
 */
public record OutboxRefusal(Reason reason, String detail) {
  /** Longest detail that is kept, in characters. */
  private static final int MOST_CHARS = 1_000;

  public OutboxRefusal {
    detail = detail.length() <= MOST_CHARS ? detail : detail.substring(0, MOST_CHARS);
  }

  /** The stable codes. */
  public enum Reason {
    /** A field breaks the rules that posted events obey. */
    INVALID,
    /** There is no such tenant. */
    UNKNOWN_TENANT,
    /** The tenant has no such destination. */
    UNKNOWN_DESTINATION,
    /** The idempotency key came before with other bytes. */
    IDEMPOTENCY_KEY_REUSED,
    /** Penstock failed on this row alone: a bug. */
    FAULT;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
      return word;
    }
  }
}
