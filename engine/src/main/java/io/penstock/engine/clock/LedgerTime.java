package io.penstock.engine.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What time it is in the ledger, estimated between its answers with the node's monotonic clock. The
 * node's own wall clock is never asked. A ledger clock that jumps against the monotonic clock is
 * believed, but for a while nothing may expire by it. Safe for use by many threads.
 */
public final class LedgerTime {
  /** A difference of the two clocks beyond this is a jump, not drift or a slow answer. */
  static final Duration JUMP = Duration.ofSeconds(5);

  /**
   * For so long, readings behind the estimate may be old ones that came late; when all of them are,
   * the clock was set back, or the node's runs fast.
   */
  static final Duration LATE = Duration.ofSeconds(2);

  /** How long after a jump nothing expires, so that an operator sees the alert first. */
  static final Duration DISTRUST = Duration.ofMinutes(5);

  private final LongSupplier nanoClock;
  private @Nullable Instant observed;
  private long observedNanos;
  private long agreedNanos;
  private long distrustUntilNanos;
  private boolean distrusted;
  private long jumps;

  public LedgerTime(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Takes a reading of the ledger's clock, just made. */
  public synchronized void observe(Instant ledgerNow) {
    long nanos = nanoClock.getAsLong();
    if (observed != null) {
      Duration off = Duration.between(observed.plusNanos(nanos - observedNanos), ledgerNow);
      if (off.abs().compareTo(JUMP) > 0) {
        jumps++;
        distrusted = true;
        distrustUntilNanos = nanos + DISTRUST.toNanos();
      } else if (off.isNegative() && nanos - agreedNanos < LATE.toNanos()) {
        return;
      }
    }
    observed = ledgerNow;
    observedNanos = nanos;
    agreedNanos = nanos;
  }

  /** The estimate; throws IllegalStateException before the first reading. */
  public synchronized Instant now() {
    if (observed == null) {
      throw new IllegalStateException("the ledger's clock was not read yet");
    }
    return observed.plusNanos(nanoClock.getAsLong() - observedNanos);
  }

  /** Whether things may expire by this clock: false for some minutes after a jump. */
  public synchronized boolean trusted() {
    if (distrusted && nanoClock.getAsLong() - distrustUntilNanos >= 0) {
      distrusted = false;
    }
    return !distrusted;
  }

  /** Jumps seen so far; an alert watches it. */
  public synchronized long jumps() {
    return jumps;
  }
}
