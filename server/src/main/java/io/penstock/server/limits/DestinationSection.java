package io.penstock.server.limits;

import io.penstock.budget.AdaptiveSettings;
import io.penstock.budget.AutoDisable;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.work.WorkTimes;
import io.penstock.engine.limits.BacklogBound;
import io.penstock.engine.limits.Backoff;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.OutcomeOverrides;
import io.penstock.engine.limits.OutcomeOverrides.Kind;
import io.penstock.engine.limits.RedriveLimits;
import io.penstock.engine.limits.RetryPolicy;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.limits.TubeLimits.EmptyWhen;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the limits of destinations: each key over the value that holds without it. */
final class DestinationSection {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration TENTH = Duration.ofMillis(100);
  private static final double MOST_FACTOR = 100;
  private static final long MOST_QUOTA = 1_000_000_000_000L;
  private static final Pattern STATUS = Pattern.compile("([2-5])([0-9]{2}|xx)");
  private static final AutoDisable USUAL_AUTO_DISABLE = new AutoDisable(DAY, 100);

  private DestinationSection() {}

  static DestinationLimits read(Section own, DestinationLimits base) {
    BudgetSettings budget = budget(own, base.budget());
    int attempts =
        own.whole(
            "max_attempts", base.maxAttempts(), 1, DestinationLimits.MAX_MAX_ATTEMPTS, "attempts");
    Duration age =
        own.duration(
            "age_limit", base.ageLimit(), Duration.ofMinutes(1), DestinationLimits.MAX_AGE_LIMIT);
    var onUnknown = own.word("on_unknown", base.onUnknown(), DestinationLimits.OnUnknown.class);
    RetryPolicy retry = own.below("retry").map(s -> retry(s, base.retry())).orElse(base.retry());
    OutcomeOverrides outcomes =
        own.below("outcomes").map(s -> outcomes(s, base.outcomes())).orElse(base.outcomes());
    TubeLimits tube =
        own.below("worker_seconds").map(s -> tube(s, base.tube())).orElse(base.tube());
    BacklogBound backlog =
        own.below("backlog").map(s -> backlog(s, base.backlog())).orElse(base.backlog());
    RedriveLimits redrive =
        own.below("redrive").map(s -> redrive(s, base.redrive())).orElse(base.redrive());
    own.end();
    return own.checked(
        base,
        () ->
            new DestinationLimits(
                budget, attempts, age, onUnknown, retry, outcomes, tube, backlog, redrive));
  }

  private static BudgetSettings budget(Section own, BudgetSettings base) {
    double rate =
        own.number(
            "rate_per_second",
            base.ratePerSecond(),
            0,
            BudgetSettings.MAX_RATE_PER_SECOND,
            "requests per second; 0 = closed");
    int burst = own.whole("burst", base.burst(), 1, BudgetSettings.MAX_BURST, "requests");
    int slots = own.whole("slots", base.slots(), 1, BudgetSettings.MAX_SLOTS, "attempts in flight");
    Duration timeout = own.duration("timeout", base.timeout(), TENTH, BudgetSettings.MAX_TIMEOUT);
    AdaptiveSettings adaptive = adaptive(own, base.adaptive());
    QuotaSettings quota =
        own.says("quota", Section.NONE)
            ? null
            : own.below("quota").map(s -> quota(s, base.quota())).orElse(base.quota());
    AutoDisable autoDisable =
        own.says("auto_disable", "off")
            ? null
            : own.below("auto_disable")
                .map(s -> autoDisable(s, base.autoDisable()))
                .orElse(base.autoDisable());
    return own.checked(
        base,
        () ->
            new BudgetSettings(
                rate, burst, slots, timeout, adaptive, quota, base.work(), autoDisable));
  }

  private static AdaptiveSettings adaptive(Section own, AdaptiveSettings base) {
    if (own.says("adaptive", "off")) {
      return AdaptiveSettings.OFF;
    }
    AdaptiveSettings on = base.enabled() ? base : AdaptiveSettings.DEFAULT;
    if (own.says("adaptive", "on")) {
      return on;
    }
    return own.below("adaptive").map(s -> adaptiveOn(s, on)).orElse(base);
  }

  private static AdaptiveSettings adaptiveOn(Section own, AdaptiveSettings base) {
    double floor =
        own.number(
            "floor_per_second",
            base.floorPerSecond(),
            0,
            BudgetSettings.MAX_RATE_PER_SECOND,
            "requests per second; 0 = 1, or a tenth of a ceiling below 10");
    int failures =
        own.whole(
            "park_after_failures",
            base.parkAfterFailures(),
            0,
            1_000_000,
            "failures in a row; 0 = never");
    Duration silence =
        own.duration("park_after_silence", base.parkAfterSilence(), Duration.ZERO, HOUR);
    Duration gap = own.duration("probe_gap", base.probeGap(), TENTH, HOUR);
    Duration throttled =
        own.duration("max_probe_gap_throttled", base.maxProbeGapThrottled(), TENTH, HOUR);
    Duration failing =
        own.duration("max_probe_gap_failing", base.maxProbeGapFailing(), TENTH, HOUR);
    double share = own.number("retry_share", base.retryShare(), 0, 1, "of what is sent");
    double retries =
        own.number(
            "retries_per_second",
            base.retriesPerSecond(),
            0,
            BudgetSettings.MAX_RATE_PER_SECOND,
            "retries besides the share");
    own.end();
    return own.checked(
        base,
        () ->
            new AdaptiveSettings(
                true, floor, failures, silence, gap, throttled, failing, share, retries));
  }

  private static @Nullable QuotaSettings quota(Section own, @Nullable QuotaSettings base) {
    QuotaSettings.Per per =
        own.word("per", base == null ? QuotaSettings.Per.DAY : base.per(), QuotaSettings.Per.class);
    ZoneId zone =
        own.value(
            "zone",
            base == null ? ZoneId.of("UTC") : base.zone(),
            DestinationSection::zone,
            "a time zone, for instance Europe/Berlin");
    long limit =
        own.large("limit", base == null ? 0 : base.limit(), 1, MOST_QUOTA, "requests per window");
    double reserve =
        own.number(
            "reserve_interactive",
            base == null ? 0 : base.reserveInteractive(),
            0,
            1,
            "of the limit");
    own.end();
    if (limit == 0) {
      if (!own.keys().contains("limit")) {
        own.fault(
            "limit", "got nothing, wanted 1 to %,d requests per window".formatted(MOST_QUOTA));
      }
      return base;
    }
    return new QuotaSettings(per, zone, limit, reserve);
  }

  private static Optional<ZoneId> zone(String text) {
    try {
      return Optional.of(ZoneId.of(text));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static AutoDisable autoDisable(Section own, @Nullable AutoDisable base) {
    AutoDisable before = base == null ? USUAL_AUTO_DISABLE : base;
    Duration after =
        own.duration("after", before.after(), AutoDisable.SHORTEST, AutoDisable.LONGEST);
    int failures =
        own.whole(
            "failures", before.failures(), 1, AutoDisable.MOST_FAILURES, "attempts and probes");
    own.end();
    return new AutoDisable(after, failures);
  }

  private static RetryPolicy retry(Section own, RetryPolicy base) {
    Duration first = own.duration("base", base.backoff().base(), TENTH, DAY);
    double factor = own.number("factor", base.backoff().factor(), 1, MOST_FACTOR, "times");
    Duration longest = own.duration("max", base.backoff().longest(), TENTH, MONTH);
    RetryPolicy.Own transients =
        own.below("transient").map(s -> own(s, base.transients())).orElse(base.transients());
    RetryPolicy.Own unknowns =
        own.below("unknown").map(s -> own(s, base.unknowns())).orElse(base.unknowns());
    Optional<Section> unauthorised = own.below("unauthorised");
    Duration refusedAgain =
        unauthorised
            .map(s -> s.duration("base", base.refusedAgain(), Duration.ofSeconds(1), DAY))
            .orElse(base.refusedAgain());
    int lastRefusal =
        unauthorised
            .map(s ->
                s.whole(
                    "max_attempts",
                    base.lastRefusal(),
                    1,
                    DestinationLimits.MAX_MAX_ATTEMPTS,
                    "attempts"))
            .orElse(base.lastRefusal());
    unauthorised.ifPresent(Section::end);
    own.end();
    return own.checked(
        base,
        () ->
            new RetryPolicy(
                new Backoff(first, factor, longest),
                transients,
                unknowns,
                refusedAgain,
                lastRefusal));
  }

  private static RetryPolicy.Own own(Section own, RetryPolicy.Own base) {
    Duration first = own.durationOrNone("base", base.base(), TENTH, DAY);
    Double factor = own.numberOrNone("factor", base.factor(), 1, MOST_FACTOR, "times");
    Duration longest = own.durationOrNone("max", base.longest(), TENTH, MONTH);
    Integer attempts =
        own.wholeOrNone(
            "max_attempts", base.maxAttempts(), 1, DestinationLimits.MAX_MAX_ATTEMPTS, "attempts");
    own.end();
    return new RetryPolicy.Own(first, factor, longest, attempts);
  }

  private static OutcomeOverrides outcomes(Section own, OutcomeOverrides base) {
    Map<Integer, Kind> byStatus = new LinkedHashMap<>(base.byStatus());
    Map<Integer, Kind> byHundred = new LinkedHashMap<>(base.byHundred());
    for (String key : own.keys()) {
      Matcher status = STATUS.matcher(key);
      if (!status.matches()) {
        own.fault(key, "unknown key; wanted a status of 200 to 599, or 2xx to 5xx");
        continue;
      }
      Kind kind = own.word(key, Kind.DELIVERED, Kind.class);
      if (status.group(2).equals("xx")) {
        byHundred.put(Integer.valueOf(status.group(1)), kind);
      } else {
        byStatus.put(Integer.valueOf(key), kind);
      }
    }
    return new OutcomeOverrides(byStatus, byHundred);
  }

  private static TubeLimits tube(Section own, TubeLimits base) {
    Double allotment =
        own.numberOrNone("allotment", base.allotment(), 0.001, 10_000, "workers, continuously");
    Duration capacity = own.durationOrNone("capacity", base.capacity(), TENTH, MONTH);
    Duration expected = own.duration("expected_duration", base.expected(), TENTH, MONTH);
    int concurrency =
        own.whole(
            "concurrency",
            base.concurrency(),
            0,
            PoolSection.MOST_AT_ONCE,
            "jobs at once; 0 = the allotment rounded up");
    boolean lending = own.flag("lending", base.lending());
    Integer runs =
        own.wholeOrNone(
            "silent_after_runs", base.silentAfterRuns(), 1, TubeLimits.MOST_RUNS, "successes");
    Duration silent = own.durationOrNone("silent_after", base.silentAfter(), MINUTE, MONTH);
    Duration nothingNew =
        own.durationOrNone("nothing_new_after", base.nothingNewAfter(), MINUTE, MONTH);
    EmptyWhen emptyWhen = own.word("empty_when", base.emptyWhen(), EmptyWhen.class);
    own.end();
    return own.checked(
        base,
        () ->
            new TubeLimits(
                allotment,
                capacity,
                expected,
                concurrency,
                lending,
                runs,
                silent,
                nothingNew,
                emptyWhen,
                WorkTimes.DEFAULT));
  }

  static BacklogBound backlog(Section own, BacklogBound base) {
    Long deliveries =
        own.largeOrNone("deliveries", base.deliveries(), 1, BacklogBound.MOST, "that wait");
    own.end();
    return new BacklogBound(deliveries);
  }

  private static RedriveLimits redrive(Section own, RedriveLimits base) {
    Double rate =
        own.numberOrNone(
            "rate_per_minute",
            base.ratePerMinute(),
            0.001,
            RedriveLimits.MOST_PER_MINUTE,
            "messages per minute");
    Long watermark =
        own.largeOrNone(
            "low_watermark",
            base.lowWatermark(),
            1,
            RedriveLimits.MOST_WATERMARK,
            "that are ready");
    Integer canary =
        own.wholeOrNone("canary", base.canary(), 1, RedriveLimits.MOST_CANARY, "messages");
    double success =
        own.number("canary_success", base.canarySuccess(), 0, 1, "of the canary delivered");
    Double abort =
        own.numberOrNone("abort_above", base.abortAbove(), 0, 1, "of the released failed again");
    own.end();
    return new RedriveLimits(rate, watermark, canary, success, abort);
  }
}
