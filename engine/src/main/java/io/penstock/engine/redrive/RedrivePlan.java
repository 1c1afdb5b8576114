package io.penstock.engine.redrive;

import io.penstock.engine.delivery.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a redrive would release.
 *
 * @param matched messages that match; when not {@code exact}, at least so many
 * @param exact false when the time for counting ran out
 * @param sample the oldest that match
 */
public record RedrivePlan(long matched, boolean exact, List<Sample> sample) {
  /** A sample shows what kind of messages these are; a page of the shelf shows all. */
  public static final int MOST_SAMPLED = 10;

  /** One message that would be released. */
  public record Sample(
      long deadLetterNo,
      UUID eventId,
      Reason reason,
      @Nullable String outcome,
      int lastStatus,
      Instant diedAt) {}

  /**
   * How long the release takes at least.
   *
   * @param budgetPerSecond the rate of the destination's budget in force; 0 = unknown
   * @return null when nothing bounds it
   */
  public @Nullable Duration atLeast(RedriveSettings settings, double budgetPerSecond) {
    double perSecond =
        settings.ratePerMinute() == 0
            ? budgetPerSecond
            : budgetPerSecond <= 0
                ? settings.ratePerMinute() / 60.0
                : Math.min(settings.ratePerMinute() / 60.0, budgetPerSecond);
    return perSecond <= 0
        ? null
        : Duration.ofMillis((long) Math.ceil(matched * 1_000.0 / perSecond));
  }
}
