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

  /** Whether it can keep what was promised of it. */
  public Commitment commitment() {
    if (workers == 0 && (allotted > 0 || arriving > 0)) {
      return new Commitment.Unserved(allotted, arriving);
    }
    if (arriving > workers) {
      return new Commitment.Overloaded(workers, arriving);
    }
    return allotted > workers
        ? new Commitment.Overallotted(workers, allotted)
        : new Commitment.Covered(workers, allotted, arriving);
  }

  /**
   * How long a batch takes that finds its tube's account full: what is banked goes at once, the
   * rest as fast as the allotment, and none of it faster than so many jobs at a time.
   *
   * @param batchSeconds its work, in worker-seconds
   */
  public static Duration drainsBatch(double batchSeconds, WorkSettings work) {
    Duration metered =
        drains(batchSeconds - work.capacity().toMillis() / 1_000.0, work.allotment());
    Duration atOnce = drains(batchSeconds, work.mostRunning());
    return metered.compareTo(atOnce) > 0 ? metered : atOnce;
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
