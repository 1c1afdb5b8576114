package io.penstock.engine.limits;

import io.penstock.budget.work.WorkSettings;
import io.penstock.budget.work.WorkTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a tube may spend of its workers, and when it counts as silent. Of no effect on destinations
 * of mode push. Checks itself.
 *
 * @param allotment workers, continuously, 0.001 to 10,000; null = none: unmetered
 * @param capacity how much unused allotment is banked; null = 900 s of the allotment
 * @param expected how long a job takes as long as nothing is known
 * @param concurrency the most jobs at once; 0 = the allotment rounded up
 * @param lending whether short jobs may run on idle workers without being charged
 * @param silentAfterRuns successes in a row without a yield that make it silent; null = never
 * @param silentAfter and so does this long without a yield; null = never
 * @param nothingNewAfter and so does this long without a new job; null = never
 * @param emptyWhen which completed runs brought nothing, so that their item is not fresh
 * @param times that the rules of worker-seconds hold by; no file sets them
 */
public record TubeLimits(
    @Nullable Double allotment,
    @Nullable Duration capacity,
    Duration expected,
    int concurrency,
    boolean lending,
    @Nullable Integer silentAfterRuns,
    @Nullable Duration silentAfter,
    @Nullable Duration nothingNewAfter,
    EmptyWhen emptyWhen,
    WorkTimes times) {

  /** When a completed run counts as one that brought nothing. */
  public enum EmptyWhen {
    /** When it says that there was nothing to do, or a yield of 0. */
    NO_YIELD,
    /** Only when it says that there was nothing to do: a yield of 0 may be a good result. */
    NO_OP
  }

  /** More runs than this are no sign of anything. */
  public static final int MOST_RUNS = 1_000_000;

  public static final TubeLimits DEFAULT =
      new TubeLimits(null, null, WorkTimes.DEFAULT.expected(), 0, false, null, null, null);

  public TubeLimits {
    // The budget's own record knows the ranges; an unmetered one is checked as a small one.
    WorkSettings checked = WorkSettings.of(allotment == null ? 1 : allotment, expected);
    checked = checked.withConcurrency(concurrency);
    if (capacity != null) {
      checked.withCapacity(capacity);
    }
    if (silentAfterRuns != null && (silentAfterRuns < 1 || silentAfterRuns > MOST_RUNS)) {
      throw new IllegalArgumentException(
          "silent_after_runs is %d, wanted 1 to %d".formatted(silentAfterRuns, MOST_RUNS));
    }
  }

  /** With the usual times, and the usual idea of a run that brought nothing. */
  public TubeLimits(
      @Nullable Double allotment,
      @Nullable Duration capacity,
      Duration expected,
      int concurrency,
      boolean lending,
      @Nullable Integer silentAfterRuns,
      @Nullable Duration silentAfter,
      @Nullable Duration nothingNewAfter) {
    this(
        allotment,
        capacity,
        expected,
        concurrency,
        lending,
        silentAfterRuns,
        silentAfter,
        nothingNewAfter,
        EmptyWhen.NO_YIELD,
        WorkTimes.DEFAULT);
  }

  /** The rule for its budget; null when it is unmetered. */
  public @Nullable WorkSettings work() {
    if (allotment == null) {
      return null;
    }
    WorkSettings work = WorkSettings.of(allotment, expected, times).withConcurrency(concurrency);
    return capacity == null ? work : work.withCapacity(capacity);
  }

  /** The same tube in a story that is played so many times faster: all times are divided. */
  public TubeLimits faster(int divisor) {
    return new TubeLimits(
        allotment,
        divided(capacity, divisor),
        expected.dividedBy(divisor),
        concurrency,
        lending,
        silentAfterRuns,
        divided(silentAfter, divisor),
        divided(nothingNewAfter, divisor),
        emptyWhen,
        times.faster(divisor));
  }

  private static @Nullable Duration divided(@Nullable Duration time, int divisor) {
    return time == null ? null : time.dividedBy(divisor);
  }
}
