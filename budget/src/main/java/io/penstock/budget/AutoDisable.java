package io.penstock.budget;

import java.time.Duration;

/**
 * When a destination that only fails is disabled: after so many failures since the last success
 * <em>and</em> so long after the first of them. Throttled answers do not count: a receiver that
 * asks for less is alive. Checks itself.
 *
 * @param after 1 min to 365 d since the first failure
 * @param failures 1 to 1,000,000 attempts and probes
 */
public record AutoDisable(Duration after, int failures) {
  public static final Duration SHORTEST = Duration.ofMinutes(1);
  public static final Duration LONGEST = Duration.ofDays(365);
  public static final int MOST_FAILURES = 1_000_000;

  public AutoDisable {
    Checks.within("auto_disable.after", after, SHORTEST, LONGEST);
    Checks.within("auto_disable.failures", failures, 1, MOST_FAILURES);
  }
}
