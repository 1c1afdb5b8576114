package io.penstock.server.limits;

import io.penstock.budget.AdaptiveSettings;
import io.penstock.budget.AutoDisable;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.limits.AlertThresholds;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.OutcomeOverrides.Kind;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.engine.limits.RedriveLimits;
import io.penstock.engine.limits.RetentionLimits;
import io.penstock.engine.limits.RetryPolicy;
import io.penstock.engine.limits.TenantLimits;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.redrive.RedriveSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Limits as the file's keys and values, each key with its path below the record's own place. */
final class EffectiveLimits {
  private final Map<String, String> values = new LinkedHashMap<>();

  private EffectiveLimits() {}

  static Map<String, String> of(DestinationLimits limits) {
    EffectiveLimits out = new EffectiveLimits();
    out.budget(limits.budget());
    out.put("max_attempts", limits.maxAttempts());
    out.put("age_limit", limits.ageLimit());
    out.put("on_unknown", limits.onUnknown().name().toLowerCase(Locale.ROOT));
    out.retry(limits.retry());
    new TreeMap<>(limits.outcomes().byHundred())
        .forEach((digit, kind) -> out.outcome(digit + "xx", kind));
    new TreeMap<>(limits.outcomes().byStatus())
        .forEach((status, kind) -> out.outcome(Integer.toString(status), kind));
    out.tube(limits.tube());
    out.put("backlog.deliveries", limits.backlog().deliveries());
    out.redrive(limits.redrive());
    return out.values;
  }

  static Map<String, String> of(TenantLimits limits) {
    EffectiveLimits out = new EffectiveLimits();
    out.put("backlog.deliveries", limits.backlog().deliveries());
    out.put("dead_letters", limits.deadLetters());
    out.byReason(limits.deadLettersByReason());
    return out.values;
  }

  static Map<String, String> of(PoolLimits pool) {
    EffectiveLimits out = new EffectiveLimits();
    out.put("size", pool.size());
    out.put("destinations", pool.all() ? "all" : String.join(", ", pool.destinations()));
    return out.values;
  }

  static Map<String, String> of(RetentionLimits retention) {
    EffectiveLimits out = new EffectiveLimits();
    out.put("events", retention.events());
    out.put("attempts", retention.attempts());
    out.put("finished", retention.finished());
    out.put("dead_letters", retention.deadLetters());
    out.byReason(retention.deadLettersByReason());
    out.put("rollups", retention.rollups());
    out.put("audit", retention.audit());
    return out.values;
  }

  static Map<String, String> of(AlertThresholds alerts) {
    EffectiveLimits out = new EffectiveLimits();
    out.put("oldest_ready", alerts.oldestReady());
    out.put("ready_deliveries", alerts.readyDeliveries());
    out.put("throttled_share", alerts.throttledShare());
    out.put("dead_letters_per_hour", alerts.deadLettersPerHour());
    out.put("dead_letters_per_minute", alerts.deadLettersPerMinute());
    out.put("attempts_per_delivery", alerts.attemptsPerDelivery());
    out.put("time_to_drain", alerts.timeToDrain());
    return out.values;
  }

  private void budget(BudgetSettings budget) {
    put("rate_per_second", budget.ratePerSecond());
    put("burst", budget.burst());
    put("slots", budget.slots());
    put("timeout", budget.timeout());
    adaptive(budget.adaptive());
    QuotaSettings quota = budget.quota();
    if (quota == null) {
      put("quota", Section.NONE);
    } else {
      put("quota.per", quota.per().name().toLowerCase(Locale.ROOT));
      put("quota.zone", quota.zone().getId());
      put("quota.limit", quota.limit());
      put("quota.reserve_interactive", quota.reserveInteractive());
    }
    AutoDisable disable = budget.autoDisable();
    if (disable == null) {
      put("auto_disable", "off");
    } else {
      put("auto_disable.after", disable.after());
      put("auto_disable.failures", disable.failures());
    }
  }

  private void adaptive(AdaptiveSettings adaptive) {
    if (!adaptive.enabled()) {
      put("adaptive", "off");
      return;
    }
    put("adaptive.floor_per_second", adaptive.floorPerSecond());
    put("adaptive.park_after_failures", adaptive.parkAfterFailures());
    put("adaptive.park_after_silence", adaptive.parkAfterSilence());
    put("adaptive.probe_gap", adaptive.probeGap());
    put("adaptive.max_probe_gap_throttled", adaptive.maxProbeGapThrottled());
    put("adaptive.max_probe_gap_failing", adaptive.maxProbeGapFailing());
    put("adaptive.retry_share", adaptive.retryShare());
    put("adaptive.retries_per_second", adaptive.retriesPerSecond());
  }

  private void retry(RetryPolicy retry) {
    put("retry.base", retry.backoff().base());
    put("retry.factor", retry.backoff().factor());
    put("retry.max", retry.backoff().longest());
    own("retry.transient.", retry.transients());
    own("retry.unknown.", retry.unknowns());
    put("retry.unauthorised.base", retry.refusedAgain());
    put("retry.unauthorised.max_attempts", retry.lastRefusal());
  }

  private void own(String path, RetryPolicy.Own own) {
    put(path + "base", own.base());
    put(path + "factor", own.factor());
    put(path + "max", own.longest());
    put(path + "max_attempts", own.maxAttempts());
  }

  private void outcome(String status, Kind kind) {
    put("outcomes." + status, kind.word());
  }

  private void tube(TubeLimits tube) {
    put("worker_seconds.allotment", tube.allotment());
    put("worker_seconds.capacity", tube.capacity());
    put("worker_seconds.expected_duration", tube.expected());
    put("worker_seconds.concurrency", tube.concurrency());
    put("worker_seconds.lending", tube.lending() ? "on" : "off");
    put("worker_seconds.silent_after_runs", tube.silentAfterRuns());
    put("worker_seconds.silent_after", tube.silentAfter());
    put("worker_seconds.nothing_new_after", tube.nothingNewAfter());
    put("worker_seconds.empty_when", tube.emptyWhen().name().toLowerCase(Locale.ROOT));
  }

  private void redrive(RedriveLimits redrive) {
    put("redrive.rate_per_minute", redrive.ratePerMinute());
    put("redrive.low_watermark", RedriveSettings.of(redrive).lowWatermark());
    put("redrive.canary", redrive.canary());
    put("redrive.canary_success", redrive.canarySuccess());
    put("redrive.abort_above", redrive.abortAbove());
  }

  private void byReason(Map<Reason, Duration> kept) {
    new TreeMap<>(kept)
        .forEach((reason, time) -> put("dead_letters_by_reason." + reason.word(), time));
  }

  private void put(String key, @Nullable Object value) {
    values.put(
        key,
        switch (value) {
          case null -> Section.NONE;
          case Duration duration -> Section.text(duration);
          case Double number ->
              number == Math.rint(number) && Math.abs(number) < 1e15
                  ? Long.toString(Math.round(number))
                  : Double.toString(number);
          default -> value.toString();
        });
  }
}
