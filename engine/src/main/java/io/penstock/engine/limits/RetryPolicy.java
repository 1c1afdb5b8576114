package io.penstock.engine.limits;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often and when a destination's deliveries are tried again. Outcomes without a rule of their
 * own follow the common back-off and the destination's {@code max_attempts}. Checks itself.
 *
 * @param backoff what transient and unknown outcomes follow unless they say otherwise
 * @param transients for transient outcomes
 * @param unknowns for unknown outcomes, where {@code on_unknown} is retry
 * @param refusedAgain the first wait after a 401 or 403, times the attempts spent; 1 s to 24 h
 * @param lastRefusal the attempt at which a 401 or 403 is final, 1 to 100
 */
public record RetryPolicy(
    Backoff backoff, Own transients, Own unknowns, Duration refusedAgain, int lastRefusal) {

  private static final Duration LONGEST_REFUSED_AGAIN = Duration.ofHours(24);

  public static final RetryPolicy DEFAULT = of(Backoff.DEFAULT);

  /**
   * What one outcome class does otherwise; null = as the policy or the destination says.
   *
   * @param maxAttempts 1 to 100: a delivery whose attempt ends in this outcome is dead once so many
   *     are spent
   */
  public record Own(
      @Nullable Duration base,
      @Nullable Double factor,
      @Nullable Duration longest,
      @Nullable Integer maxAttempts) {
    public static final Own NONE = new Own(null, null, null, null);

    public Own {
      if (maxAttempts != null) {
        checkAttempts(maxAttempts);
      }
    }

    private Backoff over(Backoff common) {
      return new Backoff(
          base == null ? common.base() : base,
          factor == null ? common.factor() : factor,
          longest == null ? common.longest() : longest);
    }
  }

  public RetryPolicy {
    transients.over(backoff); // throws when what is merged is none
    unknowns.over(backoff);
    checkAttempts(lastRefusal);
    if (refusedAgain.compareTo(Duration.ofSeconds(1)) < 0
        || refusedAgain.compareTo(LONGEST_REFUSED_AGAIN) > 0) {
      throw new IllegalArgumentException(
          "retry.unauthorised.base is %s, wanted 1 s to 24 h".formatted(refusedAgain));
    }
  }

  /** With the usual number of attempts. */
  public static RetryPolicy of(Backoff backoff) {
    return new RetryPolicy(backoff, Own.NONE, Own.NONE, Duration.ofSeconds(30), 3);
  }

  /** The back-off after a transient outcome. */
  public Backoff afterTransient() {
    return transients.over(backoff);
  }

  /** The back-off after an unknown outcome. */
  public Backoff afterUnknown() {
    return unknowns.over(backoff);
  }

  private static void checkAttempts(int attempts) {
    if (attempts < 1 || attempts > DestinationLimits.MAX_MAX_ATTEMPTS) {
      throw new IllegalArgumentException(
          "max_attempts must be 1 to %d, got %d"
              .formatted(DestinationLimits.MAX_MAX_ATTEMPTS, attempts));
    }
  }
}
