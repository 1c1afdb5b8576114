package io.penstock.engine.limits;

import io.penstock.engine.delivery.Reason;
import java.time.Duration;
import java.util.Map;

/**
 * How long things are kept, each 1 to 3,650 d. Checks itself.
 *
 * @param events bodies of events that nothing waits for
 * @param attempts rows of attempts
 * @param finished rows of deliveries that have ended
 * @param deadLetters the shelf with its payloads; not shorter than {@code finished}
 * @param deadLettersByReason the same for single reasons
 * @param rollups rows per destination and minute
 * @param audit who did what
 */
public record RetentionLimits(
    Duration events,
    Duration attempts,
    Duration finished,
    Duration deadLetters,
    Map<Reason, Duration> deadLettersByReason,
    Duration rollups,
    Duration audit) {

  /** Partitions are days: less than one cannot be kept. */
  public static final Duration SHORTEST = Duration.ofDays(1);

  public static final Duration LONGEST = Duration.ofDays(3_650);

  public static final RetentionLimits DEFAULT =
      new RetentionLimits(
          Duration.ofDays(7),
          Duration.ofDays(7),
          Duration.ofDays(7),
          Duration.ofDays(30),
          Map.of(),
          Duration.ofDays(30),
          Duration.ofDays(365));

  public RetentionLimits {
    deadLettersByReason = Map.copyOf(deadLettersByReason);
    check("events", events);
    check("attempts", attempts);
    check("finished", finished);
    check("dead_letters", deadLetters);
    check("rollups", rollups);
    check("audit", audit);
    if (deadLetters.compareTo(finished) < 0) {
      throw new IllegalArgumentException(
          "dead_letters is %s, wanted no less than finished, which is %s"
              .formatted(deadLetters, finished));
    }
    deadLettersByReason.forEach(
        (reason, kept) -> check("dead_letters_by_reason." + reason.word(), kept));
  }

  /** How long a dead letter of this tenant and reason is kept: the closest word wins. */
  public Duration deadLetters(TenantLimits tenant, Reason reason) {
    Duration own = tenant.deadLettersByReason().get(reason);
    if (own == null) {
      own = tenant.deadLetters();
    }
    return own == null ? deadLettersByReason.getOrDefault(reason, deadLetters) : own;
  }

  static void check(String key, Duration got) {
    if (got.compareTo(SHORTEST) < 0 || got.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s is %s, wanted 1 to %d d".formatted(key, got, LONGEST.toDays()));
    }
  }
}
