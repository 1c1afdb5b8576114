package io.penstock.budget;

/**
 * What retries may take while a destination answers badly: a share of what is sent and some more
 * per second. It binds only while fewer than 90 % of the last 50 answers were successes, and an
 * empty one delays retries, never first attempts.
 *
 * @param tokens retries that may go
 * @param at up to when they have accrued, epoch microseconds; 0 = full
 * @param bad one bit for each of the last 50 answers, set when it was no success
 */
record RetryAllowance(double tokens, long at, long bad) {
  static final RetryAllowance UNUSED = new RetryAllowance(0, 0, 0);

  private static final long LAST_50 = (1L << 50) - 1;

  /** One in ten of 50. */
  private static final int BINDS_ABOVE = 5;

  /** What can be saved up of the fixed part, and where the allowance starts. */
  private static final double SAVED_SECONDS = 10;

  boolean binds() {
    return Long.bitCount(bad) > BINDS_ABOVE;
  }

  RetryAllowance answered(boolean success) {
    long next = ((bad << 1) | (success ? 0 : 1)) & LAST_50;
    return next == bad ? this : new RetryAllowance(tokens, at, next);
  }

  /** Brings the fixed part up to now; the share is added by {@link #sent}. */
  RetryAllowance accrue(AdaptiveSettings settings, double ceiling, long now) {
    if (at == 0) {
      return this;
    }
    double seconds = Math.clamp(Micros.toSeconds(now - at), 0, SAVED_SECONDS);
    double most = most(settings, ceiling);
    double next = Math.min(most, tokens + seconds * settings.retriesPerSecond());
    return new RetryAllowance(next, now, bad);
  }

  /** After a lease of {@code count}, of which {@code retries}; starts counting when it binds. */
  RetryAllowance sent(int count, int retries, AdaptiveSettings settings, double ceiling, long now) {
    if (!binds()) {
      return at == 0 ? this : new RetryAllowance(0, 0, bad);
    }
    double before = available(settings);
    double next = Math.max(0, before + settings.retryShare() * count - retries);
    return new RetryAllowance(Math.min(most(settings, ceiling), next), now, bad);
  }

  double available(AdaptiveSettings settings) {
    return at == 0 ? start(settings) : tokens;
  }

  private static double start(AdaptiveSettings settings) {
    return Math.max(1, SAVED_SECONDS * settings.retriesPerSecond());
  }

  /** A second of the share beside the fixed part. */
  private static double most(AdaptiveSettings settings, double ceiling) {
    return start(settings) + settings.retryShare() * ceiling;
  }

  RetryAllowance shifted(long by) {
    return at == 0 ? this : new RetryAllowance(tokens, at + by, bad);
  }

  void write(StateWriter out) {
    out.field(tokens).field(at).field(bad);
  }

  static RetryAllowance read(StateReader in) {
    return new RetryAllowance(in.decimal(), in.integer(), in.integer());
  }
}
