package io.penstock.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.AdaptiveSettings;
import io.penstock.budget.AutoDisable;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.work.WorkTimes;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.limits.AlertThresholds;
import io.penstock.engine.limits.BacklogBound;
import io.penstock.engine.limits.Backoff;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.engine.limits.OutcomeOverrides;
import io.penstock.engine.limits.OutcomeOverrides.Kind;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.engine.limits.RedriveLimits;
import io.penstock.engine.limits.RetentionLimits;
import io.penstock.engine.limits.RetryPolicy;
import io.penstock.engine.limits.TenantLimits;
import io.penstock.engine.limits.TubeLimits;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every key of every record, away from its default. */
class LimitsMappingTest {
  private static LimitsDocument read(String text) {
    return LimitsReader.read("limits.yaml", text);
  }

  private static DestinationLimits of(String keys) {
    return read("destinations:\n  d:\n" + keys.indent(4)).of("d");
  }

  @Test
  void adaptiveIsMapped() {
    assertThat(
            of("""
            adaptive:
              floor_per_second: 0.5
              park_after_failures: 7
              park_after_silence: 9s
              probe_gap: 2s
              max_probe_gap_throttled: 20s
              max_probe_gap_failing: 40s
              retry_share: 0.4
              retries_per_second: 3
            """)
                .budget()
                .adaptive())
        .isEqualTo(
            new AdaptiveSettings(
                true,
                0.5,
                7,
                Duration.ofSeconds(9),
                Duration.ofSeconds(2),
                Duration.ofSeconds(20),
                Duration.ofSeconds(40),
                0.4,
                3));
  }

  @Test
  void adaptiveIsSwitchedOffAndOnAgain() {
    LimitsDocument limits =
        read(
            """
            defaults:
              adaptive: off
            destinations:
              a: {}
              b: {adaptive: on}
              c: {adaptive: {floor_per_second: 2}}
            """);
    assertThat(limits.of("a").budget().adaptive()).isEqualTo(AdaptiveSettings.OFF);
    assertThat(limits.of("b").budget().adaptive()).isEqualTo(AdaptiveSettings.DEFAULT);
    assertThat(limits.of("c").budget().adaptive().enabled()).isTrue();
    assertThat(limits.of("c").budget().adaptive().floorPerSecond()).isEqualTo(2);
  }

  @Test
  void quotaIsMapped() {
    assertThat(
            of("""
            quota:
              per: month
              zone: America/New_York
              limit: 1000000000000
              reserve_interactive: 0.25
            """)
                .budget()
                .quota())
        .isEqualTo(
            new QuotaSettings(
                QuotaSettings.Per.MONTH, ZoneId.of("America/New_York"), 1_000_000_000_000L, 0.25));
  }

  @Test
  void aDestinationMayDoWithoutWhatTheDefaultsHave() {
    LimitsDocument limits =
        read(
            """
            defaults:
              quota: {limit: 5}
              auto_disable: {after: 2h, failures: 9}
            destinations:
              d: {quota: none, auto_disable: off}
            """);
    assertThat(limits.of("other").budget().quota()).isNotNull();
    assertThat(limits.of("other").budget().autoDisable())
        .isEqualTo(new AutoDisable(Duration.ofHours(2), 9));
    assertThat(limits.of("d").budget().quota()).isNull();
    assertThat(limits.of("d").budget().autoDisable()).isNull();
  }

  @Test
  void retryIsMapped() {
    assertThat(
            of("""
            retry:
              max: 1m
              base: 1s
              factor: 2
              transient: {base: 2s, factor: 3, max: 2m, max_attempts: 4}
              unknown: {base: 3s, factor: 4, max: 3m, max_attempts: 5}
              unauthorised: {base: 9s, max_attempts: 6}
            """)
                .retry())
        .isEqualTo(
            new RetryPolicy(
                new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1)),
                new RetryPolicy.Own(Duration.ofSeconds(2), 3.0, Duration.ofMinutes(2), 4),
                new RetryPolicy.Own(Duration.ofSeconds(3), 4.0, Duration.ofMinutes(3), 5),
                Duration.ofSeconds(9),
                6));
  }

  @Test
  void outcomesAreMapped() {
    assertThat(of("outcomes: {409: delivered, 5xx: throttled, 404: gone}").outcomes())
        .isEqualTo(
            new OutcomeOverrides(
                Map.of(409, Kind.DELIVERED, 404, Kind.GONE), Map.of(5, Kind.THROTTLED)));
  }

  @Test
  void workerSecondsAreMapped() {
    assertThat(
            of("""
            worker_seconds:
              allotment: 0.35
              capacity: 10m
              expected_duration: 30s
              concurrency: 2
              lending: on
              silent_after_runs: 5
              silent_after: 2h
              nothing_new_after: 1d
              empty_when: no_op
            """)
                .tube())
        .isEqualTo(
            new TubeLimits(
                0.35,
                Duration.ofMinutes(10),
                Duration.ofSeconds(30),
                2,
                true,
                5,
                Duration.ofHours(2),
                Duration.ofDays(1),
                TubeLimits.EmptyWhen.NO_OP,
                WorkTimes.DEFAULT));
    assertThat(of("worker_seconds: {allotment: none}").tube().work()).isNull();
  }

  @Test
  void backlogAndRedriveAreMapped() {
    DestinationLimits limits =
        of(
            """
            backlog: {deliveries: 5000}
            redrive:
              rate_per_minute: 600
              low_watermark: 100
              canary: 20
              canary_success: 0.8
              abort_above: 0.5
            """);
    assertThat(limits.backlog()).isEqualTo(new BacklogBound(5_000L));
    assertThat(limits.redrive()).isEqualTo(new RedriveLimits(600.0, 100L, 20, 0.8, 0.5));
  }

  @Test
  void tenantsAreMappedOverTheirDefaults() {
    LimitsDocument limits =
        read(
            """
            tenant_defaults:
              backlog: {deliveries: 10}
            tenants:
              acme:
                dead_letters: 60d
                dead_letters_by_reason: {expired: 2d}
            """);
    assertThat(limits.ofTenant("acme"))
        .isEqualTo(
            new TenantLimits(
                new BacklogBound(10L),
                Duration.ofDays(60),
                Map.of(Reason.EXPIRED, Duration.ofDays(2))));
    assertThat(limits.ofTenant("other"))
        .isEqualTo(new TenantLimits(new BacklogBound(10L), null, Map.of()));
  }

  @Test
  void poolsAreMapped() {
    assertThat(read("pools:\n  p: {size: 3, destinations: [a, b]}\n  q: {}\n").pools())
        .isEqualTo(
            Map.of(
                "p", new PoolLimits(3, List.of("a", "b"), false),
                "q", new PoolLimits(0, List.of(), true)));
  }

  @Test
  void retentionIsMapped() {
    assertThat(
            read("""
            retention:
              events: 2d
              attempts: 3d
              finished: 4d
              dead_letters: 5d
              dead_letters_by_reason: {rejected: 6d}
              rollups: 8d
              audit: 9d
            """)
                .retention())
        .isEqualTo(
            new RetentionLimits(
                Duration.ofDays(2),
                Duration.ofDays(3),
                Duration.ofDays(4),
                Duration.ofDays(5),
                Map.of(Reason.REJECTED, Duration.ofDays(6)),
                Duration.ofDays(8),
                Duration.ofDays(9)));
  }

  @Test
  void alertsAreMapped() {
    assertThat(
            read("""
            alerts:
              oldest_ready: 1m
              ready_deliveries: 7
              throttled_share: 0.5
              dead_letters_per_hour: 8
              dead_letters_per_minute: 9
              attempts_per_delivery: 1.5
              time_to_drain: 2h
            """)
                .alerts())
        .isEqualTo(
            new AlertThresholds(Duration.ofMinutes(1), 7, 0.5, 8, 9, 1.5, Duration.ofHours(2)));
  }
}
