package io.penstock.budget;

/**
 * The budget's own chance: a SplitMix64 whose seed is part of the state, so that a replay draws the
 * same jitter. Not thread-safe: it lives for one step.
 */
final class Chance {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private long seed;

  Chance(long seed) {
    this.seed = seed;
  }

  long seed() {
    return seed;
  }

  /** Uniform in [0, 1). */
  double uniform() {
    seed += GOLDEN;
    long z = (seed ^ (seed >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
  }

  /** {@code length} times a factor uniform in [1 − spread, 1 + spread). */
  long around(long length, double spread) {
    return (long) Math.ceil(length * (1 - spread + 2 * spread * uniform()));
  }
}
