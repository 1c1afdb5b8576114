package io.penstock.server.limits;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.limits.AlertThresholds;
import io.penstock.engine.limits.BacklogBound;
import io.penstock.engine.limits.RetentionLimits;
import io.penstock.engine.limits.TenantLimits;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Reads what is not of one destination: tenants, retention, thresholds of alerts. */
final class InstallationSection {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private InstallationSection() {}

  static TenantLimits tenant(Section own, TenantLimits base) {
    BacklogBound backlog =
        own.below("backlog")
            .map(s -> DestinationSection.backlog(s, base.backlog()))
            .orElse(base.backlog());
    Duration kept =
        own.durationOrNone(
            "dead_letters", base.deadLetters(), RetentionLimits.SHORTEST, RetentionLimits.LONGEST);
    Map<Reason, Duration> byReason = byReason(own, base.deadLettersByReason());
    own.end();
    return new TenantLimits(backlog, kept, byReason);
  }

  static RetentionLimits retention(Section own, RetentionLimits base) {
    Duration events = kept(own, "events", base.events());
    Duration attempts = kept(own, "attempts", base.attempts());
    Duration finished = kept(own, "finished", base.finished());
    Duration deadLetters = kept(own, "dead_letters", base.deadLetters());
    Map<Reason, Duration> byReason = byReason(own, base.deadLettersByReason());
    Duration rollups = kept(own, "rollups", base.rollups());
    Duration audit = kept(own, "audit", base.audit());
    own.end();
    return own.checked(
        base,
        () ->
            new RetentionLimits(events, attempts, finished, deadLetters, byReason, rollups, audit));
  }

  private static Duration kept(Section own, String key, Duration otherwise) {
    return own.duration(key, otherwise, RetentionLimits.SHORTEST, RetentionLimits.LONGEST);
  }

  private static Map<Reason, Duration> byReason(Section own, Map<Reason, Duration> base) {
    Map<Reason, Duration> found = new EnumMap<>(Reason.class);
    found.putAll(base);
    own.below("dead_letters_by_reason")
        .ifPresent(reasons -> {
          for (Reason reason : Reason.values()) {
            Duration kept = kept(reasons, reason.word(), Duration.ZERO);
            if (!kept.isZero()) {
              found.put(reason, kept);
            }
          }
          reasons.end();
        });
    return found;
  }

  static AlertThresholds alerts(Section own, AlertThresholds base) {
    Duration oldest =
        own.duration("oldest_ready", base.oldestReady(), SECOND, AlertThresholds.LONGEST);
    long ready =
        own.large(
            "ready_deliveries", base.readyDeliveries(), 1, AlertThresholds.MOST, "that are ready");
    double throttled = own.number("throttled_share", base.throttledShare(), 0, 1, "of all answers");
    long dead =
        own.large(
            "dead_letters_per_hour",
            base.deadLettersPerHour(),
            1,
            AlertThresholds.MOST,
            "new ones");
    long dying =
        own.large(
            "dead_letters_per_minute",
            base.deadLettersPerMinute(),
            1,
            AlertThresholds.MOST,
            "new ones");
    double amplification =
        own.number(
            "attempts_per_delivery",
            base.attemptsPerDelivery(),
            1,
            AlertThresholds.MOST_ATTEMPTS,
            "attempts");
    Duration drain =
        own.duration("time_to_drain", base.timeToDrain(), SECOND, AlertThresholds.LONGEST);
    own.end();
    return new AlertThresholds(oldest, ready, throttled, dead, dying, amplification, drain);
  }
}
