package io.penstock.engine.limits;

import java.time.Duration;

/**
 * From where on an operator wants to be told; published as metrics, so that alert rules compare
 * with what the limits file says, and obeyed by notices. Checks itself.
 *
 * @param oldestReady age of the oldest ready delivery, 1 s to 30 d
 * @param readyDeliveries ready deliveries of one destination, 1 to 1,000,000,000
 * @param throttledShare 429s among all answers, 0 to 1
 * @param deadLettersPerHour new ones of one destination, 1 to 1,000,000,000
 * @param deadLettersPerMinute new ones of one destination, of which a notice is sent, 1 to
 *     1,000,000,000
 * @param attemptsPerDelivery how much retries multiply the traffic, 1 to 100
 * @param timeToDrain depth over the rate really achieved, 1 s to 30 d
 */
public record AlertThresholds(
    Duration oldestReady,
    long readyDeliveries,
    double throttledShare,
    long deadLettersPerHour,
    long deadLettersPerMinute,
    double attemptsPerDelivery,
    Duration timeToDrain) {

  public static final long MOST = 1_000_000_000;
  public static final double MOST_ATTEMPTS = 100;
  public static final Duration LONGEST = Duration.ofDays(30);

  public static final AlertThresholds DEFAULT =
      new AlertThresholds(Duration.ofMinutes(15), 100_000, 0.2, 1_000, 100, 2, Duration.ofHours(1));

  public AlertThresholds {
    check("oldest_ready", oldestReady);
    check("time_to_drain", timeToDrain);
    check("ready_deliveries", (double) readyDeliveries, 1, MOST);
    check("throttled_share", throttledShare, 0, 1);
    check("dead_letters_per_hour", (double) deadLettersPerHour, 1, MOST);
    check("dead_letters_per_minute", (double) deadLettersPerMinute, 1, MOST);
    check("attempts_per_delivery", attemptsPerDelivery, 1, MOST_ATTEMPTS);
  }

  private static void check(String key, Duration got) {
    if (got.compareTo(Duration.ofSeconds(1)) < 0 || got.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("%s is %s, wanted 1 s to 30 d".formatted(key, got));
    }
  }

  private static void check(String key, double got, double least, double most) {
    if (!(got >= least && got <= most)) {
      throw new IllegalArgumentException(
          "%s is %s, wanted %s to %s".formatted(key, got, least, most));
    }
  }
}
