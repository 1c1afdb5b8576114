package io.penstock.server.event;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Makes event ids: UUIDv7 (RFC 9562), whose first 48 bits are milliseconds of the ledger's time and
 * whose next 12 a fraction of one, never the same twice on one node and always ascending. Safe for
 * use by many threads.
 */
final class EventIds {
  private static final int FRACTION_BITS = 12;
  private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;
  private static final long VERSION_7 = 0x7000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final RandomGenerator random;
  private final AtomicLong last = new AtomicLong();

  EventIds(RandomGenerator random) {
    this.random = random;
  }

  /** The next id at the ledger's time {@code now}. */
  UUID next(Instant now) {
    long nanosOfMilli = now.getNano() % NANOS_PER_MILLI;
    long stamp =
        (now.toEpochMilli() << FRACTION_BITS) | (nanosOfMilli << FRACTION_BITS) / NANOS_PER_MILLI;
    // Faster than the fraction can tell apart, or a clock that stepped back: run ahead of it.
    long mine = last.updateAndGet(before -> Math.max(before + 1, stamp));
    long high = ((mine >>> FRACTION_BITS) << 16) | VERSION_7 | (mine & FRACTION_MASK);
    long low = (random.nextLong() >>> 2) | VARIANT;
    return new UUID(high, low);
  }
}
