package io.penstock.postgres;

import java.time.Instant;
import java.util.UUID;

/** UUIDv7 as places in time: the first 48 bits are milliseconds since the epoch. */
public final class EventIds {
  private static final int TIME_SHIFT = 16;

  private EventIds() {}

  /** When an event id was made, to the millisecond. */
  public static Instant time(UUID eventId) {
    return Instant.ofEpochMilli(eventId.getMostSignificantBits() >>> TIME_SHIFT);
  }

  /** The bound that is not above any id made at or after {@code instant}. */
  public static UUID lowest(Instant instant) {
    return new UUID(instant.toEpochMilli() << TIME_SHIFT, 0);
  }
}
