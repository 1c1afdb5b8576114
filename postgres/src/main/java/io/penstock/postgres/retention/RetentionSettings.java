package io.penstock.postgres.retention;

import java.time.Duration;

/**
 * How long things are kept.
 *
 * @param events bodies of events that nothing waits for; at least a day
 * @param attempts at least a day
 * @param finished rows of deliveries that have ended; at least a day
 * @param deadLetters the shelf with its payloads; not shorter than {@code finished}
 * @param rollups the minute roll-ups and the histories of budgets; at least a day
 */
public record RetentionSettings(
    Duration events, Duration attempts, Duration finished, Duration deadLetters, Duration rollups) {
  /** Partitions are days: less than one cannot be kept. */
  private static final Duration SHORTEST = Duration.ofDays(1);

  public static final RetentionSettings DEFAULT =
      new RetentionSettings(
          Duration.ofDays(7),
          Duration.ofDays(7),
          Duration.ofDays(7),
          Duration.ofDays(30),
          Duration.ofDays(30));

  public RetentionSettings {
    check("events", events, SHORTEST);
    check("attempts", attempts, SHORTEST);
    check("finished", finished, SHORTEST);
    check("dead_letters", deadLetters, finished);
    check("rollups", rollups, SHORTEST);
  }

  private static void check(String name, Duration got, Duration least) {
    if (got.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "retention.%s: got %s, wanted %s or more".formatted(name, got, least));
    }
  }
}
