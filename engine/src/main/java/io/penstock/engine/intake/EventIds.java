package io.penstock.engine.intake;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoField;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes event ids: UUID version 7 (RFC 9562) of the ledger's time in milliseconds, 12 bits of its
 * fraction, 62 of chance. The time orders the partitions of the ledger. Ids of one node ascend,
 * also when its clock steps back a little. Safe for use by many threads.
 */
public final class EventIds {
  private final InstantSource time;
  private final RandomGenerator random;
  private long last;

  public EventIds(InstantSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  public UUID next() {
    long low;
    long ticks;
    synchronized (this) {
      Instant now = time.instant();
      // 1/4096 ms, in the 12 bits that RFC 9562 (method 3) allows for a fraction.
      long fraction = now.get(ChronoField.NANO_OF_SECOND) % 1_000_000 * 4096L / 1_000_000;
      ticks = Math.max(last + 1, (now.toEpochMilli() << 12) | fraction);
      last = ticks;
      low = random.nextLong();
    }
    long high = ((ticks >>> 12) << 16) | 0x7000 | (ticks & 0xfff);
    return new UUID(high, (low & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L);
  }
}
