package io.penstock.budget.work;

import java.time.Duration;

/**
 * Whether a pool of workers is large enough: supply against demand, all in workers.
 *
 * @param workers how many there are
 * @param allotted the sum of the allotments
 * @param arriving what really arrives: jobs per second × their expected seconds
 */
public record PoolForecast(int workers, double allotted, double arriving) {

  /** Longer than anybody plans. */
  private static final Duration NEVER = Duration.ofDays(365);

  /** What is left of the supply, in per cent; negative when the pool is too small. */
  public double slackPercent() {
    return workers == 0 ? -100 : 100 * (workers - Math.max(allotted, arriving)) / workers;
  }

  /**
   * How long a backlog of so many worker-seconds takes at this tube's allotment; a year at most.
   */
  public static Duration drains(double backlogSeconds, double allotment) {
    double seconds = Math.max(0, backlogSeconds) / allotment;
    return seconds < NEVER.toSeconds()
        ? Duration.ofMillis((long) Math.ceil(seconds * 1_000))
        : NEVER;
  }
}
