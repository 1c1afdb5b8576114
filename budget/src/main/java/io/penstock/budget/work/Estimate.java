package io.penstock.budget.work;

/**
 * How long a job of one tube is expected to take: a mean that follows slowly, is not taken in by
 * jobs that did nothing, and is raised by a job that is still running.
 *
 * @param seconds the expectation; always over 0
 * @param samples how many jobs taught it, up to {@link #ENOUGH}
 * @param untaught jobs in a row that did not teach because they were too short or did nothing
 */
public record Estimate(double seconds, int samples, int untaught) {
  /** Until so many have taught, jobs go one at a time. */
  public static final int ENOUGH = 3;

  /** The weight of one job. */
  private static final double WEIGHT = 0.2;

  /** One job counts as at most so many times the expectation. */
  private static final double MOST = 4;

  /** So many that did not teach in a row halve the expectation. */
  private static final int HALVED_AFTER = 20;

  /** An expectation of nothing would let everything start at once. */
  private static final double LEAST_SECONDS = 0.001;

  /**
   * After a job that ended well.
   *
   * @param tooShortSeconds below this a job did nothing, when jobs are expected to take longer
   */
  public Estimate taught(double actualSeconds, boolean noOp, double tooShortSeconds) {
    if (noOp || (actualSeconds < tooShortSeconds && seconds >= tooShortSeconds)) {
      return untaught + 1 < HALVED_AFTER
          ? new Estimate(seconds, samples, untaught + 1)
          : new Estimate(Math.max(LEAST_SECONDS, seconds / 2), samples, 0);
    }
    return new Estimate(towards(actualSeconds), Math.min(ENOUGH, samples + 1), 0);
  }

  /** While a job runs that has already taken so long. */
  public Estimate outlived(double heldSeconds) {
    return heldSeconds > seconds ? new Estimate(towards(heldSeconds), samples, untaught) : this;
  }

  private double towards(double actual) {
    return Math.max(LEAST_SECONDS, seconds + WEIGHT * (Math.min(actual, MOST * seconds) - seconds));
  }

  public boolean known() {
    return samples >= ENOUGH;
  }
}
