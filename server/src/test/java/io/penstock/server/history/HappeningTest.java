package io.penstock.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.history.GateRow;
import io.penstock.postgres.history.HistoryReads;
import io.penstock.postgres.history.HistoryRow;
import io.penstock.postgres.history.LimitsRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HappeningTest {
  private static final Instant START = Instant.parse("2026-03-10T12:03:10Z");

  private static HistoryRow row(
      int second, String kind, double rate, @Nullable Double before, int failures, String cause) {
    return new HistoryRow(
        START.plusSeconds(second), kind, 1, rate, 50, null, 0, 1, before, failures, cause);
  }

  private static List<String> told(boolean withActors, HistoryRow... rows) {
    List<GateRow> gates =
        List.of(
            new GateRow(START.plusSeconds(30), "key:ps_1", "gate.pause", "destination", "INC-7"),
            new GateRow(START.plusSeconds(31), "key:ps_1", "gate.resume", "tenant", ""),
            new GateRow(START.plusSeconds(32), "penstock", "gate.hold", "destination", "x"));
    List<LimitsRow> versions =
        List.of(
            new LimitsRow(START.plusSeconds(33), 41, "ann", "api", "ERP asked for less"),
            new LimitsRow(START.plusSeconds(34), 42, "", "a:/etc/limits.yaml", ""));
    return Happening.of(
            new HistoryReads.Stretch(null, List.of(rows), gates, versions, null), withActors)
        .stream()
        .map(happening -> happening.at().toString().substring(11, 19) + " " + happening.text())
        .toList();
  }

  @Test
  void an_incident_reads_as_an_operator_would_tell_it() {
    assertThat(
            told(
                true,
                row(0, "cut", 25, 50.0, 0, "429"),
                row(10, "parked", 6.25, 6.25, 20, "timed_out"),
                row(16, "probe_failed", 6.25, 6.25, 21, "503"),
                row(22, "unparked", 1, 6.25, 21, "200"),
                row(25, "closed", 1, 1.0, 0, "held_unauthorised")))
        .containsExactly(
            "12:03:10 429: rate 50 → 25",
            "12:03:20 parked (20 failures in a row, the last one timed_out)",
            "12:03:26 probe failed (503): still parked, 21 failures in a row",
            "12:03:32 open again: the probe got 200; the rate begins at 1",
            "12:03:35 held: the receiver does not accept our credential",
            "12:03:40 paused by key:ps_1: INC-7",
            "12:03:41 the tenant: resumed by key:ps_1",
            "12:03:42 held by penstock: x",
            "12:03:43 limits.yaml is version 41, by ann: ERP asked for less",
            "12:03:44 limits.yaml is version 42, by a:/etc/limits.yaml");
  }

  @Test
  void a_tenant_hears_that_it_was_paused_and_not_by_whom_or_why() {
    assertThat(told(false))
        .containsExactly("12:03:40 paused", "12:03:41 the tenant: resumed", "12:03:42 held");
  }

  @Test
  void a_changed_limit_is_told_from_the_ceilings() {
    HistoryRow other =
        new HistoryRow(START.plusSeconds(5), "rate", 1, 25, 25, null, 0, 1, null, 0, "");
    assertThat(told(true, row(0, "rate", 50, null, 0, ""), other).getFirst())
        .isEqualTo("12:03:15 limit in force: rate_per_second 50 → 25");
  }
}
