package io.penstock.gameday.lab;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Simulated time: runs what was scheduled, in order of time and then of scheduling.
 * Single-threaded; times are microseconds from the start.
 */
final class Timeline {
  static final long SECOND = 1_000_000;

  /** Where simulated time begins; only differences matter. */
  private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

  private record Event(long at, long order, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private long now;
  private long order;

  long now() {
    return now;
  }

  Instant instant() {
    return START.plusNanos(now * 1_000);
  }

  /** The time of an instant, rounded up. */
  static long of(Instant instant) {
    long seconds = instant.getEpochSecond() - START.getEpochSecond();
    return seconds * SECOND + (instant.getNano() + 999) / 1_000;
  }

  void at(long time, Runnable what) {
    events.add(new Event(Math.max(now, time), order++, what));
  }

  void after(long delay, Runnable what) {
    at(now + delay, what);
  }

  /** Runs everything before {@code end}. */
  void runUntil(long end) {
    while (true) {
      Event next = events.peek();
      if (next == null || next.at() >= end) {
        now = end;
        return;
      }
      events.remove();
      now = next.at();
      next.what().run();
    }
  }
}
