package io.penstock.budget.testing;

import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Seeded histories for properties: runs a property over many seeds and names the seed that broke
 * it. {@code -Dseed=N} runs that one alone.
 */
public final class Seeds {
  private Seeds() {}

  /** One property of one random history. */
  @FunctionalInterface
  public interface Property {
    void holds(RandomGenerator random);
  }

  /** Runs the property for the seeds 1 to {@code count}. */
  public static void forEach(int count, Property property) {
    Long only = Long.getLong("seed");
    long first = only == null ? 1 : only;
    long last = only == null ? count : only;
    for (long seed = first; seed <= last; seed++) {
      try {
        property.holds(new Random(seed * 0x9E3779B97F4A7C15L));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " (run it alone with -Dseed=" + seed + ")", e);
      }
    }
  }
}
