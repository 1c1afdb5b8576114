package io.penstock.gameday.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The story of tubes that share a pool of three workers, of which all figures tell: an hourly batch
 * of 40 × 30 s, a small batch of 12 × 10 s once an hour at any time, an interactive job of 5 s a
 * minute, and endless jobs of 30 minutes. The lab plays it on simulated time and the bench on a
 * real server.
 */
public final class TubeStory {
  public static final int WORKERS = 3;

  /** What the small batch may take, 95 of 100 times, under the rule. */
  public static final double SMALL_BATCH_P95_SECONDS = 190;

  /** How long an interactive job may wait, 95 of 100 times, under the rule. */
  public static final double INTERACTIVE_WAIT_P95_SECONDS = 80;

  /** What is banked, in seconds of the allotment. */
  public static final int BANKED_SECONDS = 900;

  /**
   * One tube of it. The allotments are ours; control.md names none.
   *
   * @param allotment in workers
   * @param jobSeconds how long each of its jobs takes
   */
  public record Part(String name, double allotment, double jobSeconds) {}

  public static final Part HOURLY = new Part("hourly", 0.35, 30);
  public static final Part SMALL = new Part("small", 0.2, 10);
  public static final Part INTERACTIVE = new Part("interactive", 0.25, 5);
  public static final Part ENDLESS = new Part("endless", 1.3, 1_800);

  public static final List<Part> PARTS = List.of(HOURLY, SMALL, INTERACTIVE, ENDLESS);

  private static final int HOUR = 3_600;
  private static final int MINUTE = 60;

  private TubeStory() {}

  /** Jobs of one tube that arrive together, in seconds of the story. */
  public record Arrival(long second, Part part, int count) {}

  /**
   * How the story went, in seconds of it.
   *
   * @param hourlyBatchP50 from the arrival of an hourly batch to the end of its last job
   * @param smallBatchP95 the same of a small batch
   * @param interactiveWaitP95 from the arrival of an interactive job to its start
   */
  public record Told(double hourlyBatchP50, double smallBatchP95, double interactiveWaitP95) {}

  /** Everything that arrives, hour by hour, not ordered within an hour. */
  public static List<Arrival> arrivals(int hours, long seed) {
    RandomGenerator random = new Random(seed);
    List<Arrival> all = new ArrayList<>();
    for (long hour = 0; hour < hours; hour++) {
      long began = hour * HOUR;
      all.add(new Arrival(began, HOURLY, 40));
      all.add(new Arrival(began + random.nextInt(HOUR), SMALL, 12));
      all.add(new Arrival(began, ENDLESS, 2 * WORKERS));
      for (int minute = 0; minute < 60; minute++) {
        long second = began + (long) minute * MINUTE + random.nextInt(MINUTE);
        all.add(new Arrival(second, INTERACTIVE, 1));
      }
    }
    return all;
  }

  /** The story under the rule on simulated time, where nothing but the jobs takes any. */
  public static Told simulated(int hours, long seed) {
    return TubesScenarios.told(TubesScenarios.RULE, hours, seed);
  }

  /** So many of the values are at most this. */
  public static double quantile(List<Double> values, double q) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0
        ? Double.POSITIVE_INFINITY
        : sorted[(int) Math.min(sorted.length - 1, Math.round(q * (sorted.length - 1)))];
  }
}
