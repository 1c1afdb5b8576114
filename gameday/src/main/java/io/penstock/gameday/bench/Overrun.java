package io.penstock.gameday.bench;

/**
 * How far events in any window whatever exceed rate × t: the highest level of a bucket that leaks
 * at the rate and into which every event pours one. At most the burst is within the limit. For one
 * thread.
 */
final class Overrun {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private double level;
  private double highest;
  private long atNanos = Long.MIN_VALUE;

  Overrun(double perSecond) {
    this.perSecond = perSecond;
  }

  /** So many events at once; in the order of time. */
  void add(int count, long nanos) {
    if (atNanos != Long.MIN_VALUE) {
      level = Math.max(0, level - perSecond * (nanos - atNanos) / NANOS);
    }
    atNanos = nanos;
    level = Math.max(0, level + count);
    highest = Math.max(highest, level);
  }

  /** The most events beyond rate × t in any window so far. */
  double highest() {
    return highest;
  }
}
