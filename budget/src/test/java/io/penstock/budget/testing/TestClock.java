package io.penstock.budget.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it. Any thread may read and move it. */
public final class TestClock implements InstantSource {
  /** Where a test begins when it does not say: a Tuesday, in no zone's change of clocks. */
  public static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

  private final AtomicReference<Instant> now;

  public TestClock() {
    this(START);
  }

  public TestClock(Instant start) {
    now = new AtomicReference<>(start);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Moves the clock on (or back, by a negative length) and returns the new time. */
  public Instant advance(Duration by) {
    return now.updateAndGet(time -> time.plus(by));
  }

  public void set(Instant time) {
    now.set(time);
  }

  /** This clock as a nano clock; its zero is the epoch. */
  public long nanos() {
    Instant time = instant();
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
  }
}
