package io.penstock.budget.work;

import java.time.Duration;

/**
 * A tube's share of its workers. Checks itself.
 *
 * @param allotment workers, continuously: 0.35 means 35 % of one worker; 0.001 to 10,000
 * @param capacity how much unused allotment is banked, in worker-time
 * @param expected how long a job takes, as long as nothing is known
 * @param concurrency the most jobs at once; 0 = the allotment rounded up
 * @param times that the rules hold by; the same for all tubes
 */
public record WorkSettings(
    double allotment, Duration capacity, Duration expected, int concurrency, WorkTimes times) {

  private static final double LEAST_ALLOTMENT = 0.001;
  private static final double MOST_ALLOTMENT = 10_000;
  private static final Duration LONGEST = Duration.ofDays(30);

  public WorkSettings {
    if (!(allotment >= LEAST_ALLOTMENT && allotment <= MOST_ALLOTMENT)) {
      throw new IllegalArgumentException(
          "allotment is %s, wanted %s to %s workers"
              .formatted(allotment, LEAST_ALLOTMENT, MOST_ALLOTMENT));
    }
    check("capacity", capacity);
    check("expected_duration", expected);
    if (concurrency < 0 || concurrency > MOST_ALLOTMENT) {
      throw new IllegalArgumentException(
          "concurrency is %s, wanted 0 to %s".formatted(concurrency, MOST_ALLOTMENT));
    }
  }

  /** With the rules' usual times. */
  public WorkSettings(double allotment, Duration capacity, Duration expected, int concurrency) {
    this(allotment, capacity, expected, concurrency, WorkTimes.DEFAULT);
  }

  private static void check(String field, Duration got) {
    if (!got.isPositive() || got.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s is %s, wanted over 0 up to %s".formatted(field, got, LONGEST));
    }
  }

  /** With everything else as it comes. */
  public static WorkSettings of(double allotment) {
    return of(allotment, WorkTimes.DEFAULT.expected());
  }

  /** With a hint of how long a job takes. */
  public static WorkSettings of(double allotment, Duration expected) {
    return of(allotment, expected, WorkTimes.DEFAULT);
  }

  /** With a hint of how long a job takes, and the times that the rules hold by. */
  public static WorkSettings of(double allotment, Duration expected, WorkTimes times) {
    long capacityMillis = Math.max(1, Math.round(allotment * times.banked().toMillis()));
    return new WorkSettings(allotment, Duration.ofMillis(capacityMillis), expected, 0, times);
  }

  public WorkSettings withCapacity(Duration newCapacity) {
    return new WorkSettings(allotment, newCapacity, expected, concurrency, times);
  }

  public WorkSettings withConcurrency(int newConcurrency) {
    return new WorkSettings(allotment, capacity, expected, newConcurrency, times);
  }

  /** The most jobs at once. */
  public int mostRunning() {
    return concurrency > 0 ? concurrency : Math.max(1, (int) Math.ceil(allotment));
  }
}
