package io.penstock.postgres.retention;

import io.penstock.engine.shelf.ShelfRetention;
import java.time.Duration;

/**
 * How long things are kept.
 *
 * @param events bodies of events that nothing waits for; at least a day
 * @param attempts at least a day
 * @param finished rows of deliveries that have ended; at least a day
 * @param shelf dead letters with their payloads, by tenant and reason; by default not shorter than
 *     {@code finished}
 * @param audit who did what; at least a day
 */
public record RetentionSettings(
    Duration events, Duration attempts, Duration finished, ShelfRetention shelf, Duration audit) {
  /** Partitions are days: less than one cannot be kept. */
  private static final Duration SHORTEST = Duration.ofDays(1);

  public static final RetentionSettings DEFAULT =
      new RetentionSettings(
          Duration.ofDays(7),
          Duration.ofDays(7),
          Duration.ofDays(7),
          ShelfRetention.DEFAULT,
          Duration.ofDays(365));

  public RetentionSettings {
    check("events", events, SHORTEST);
    check("attempts", attempts, SHORTEST);
    check("finished", finished, SHORTEST);
    check("dead_letters", shelf.standard(), finished);
    check("audit", audit, SHORTEST);
  }

  private static void check(String name, Duration got, Duration least) {
    if (got.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "retention.%s: got %s, wanted %s or more".formatted(name, got, least));
    }
  }
}
