package io.penstock.engine.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.Seeds;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.limits.RedriveLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SteppingTest {
  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
  private static final RedriveInput OPEN = new RedriveInput(true, null, 0);

  private static RedriveSettings settings(int rate, int canary, int abortPercent) {
    return new RedriveSettings(rate, 1_000, canary, 80, abortPercent, 20);
  }

  private static RedriveProgress running(RedriveCounts counts) {
    RedriveProgress fresh =
        RedriveProgress.starting(1_000_000, START).in(RedriveState.RUNNING).paced(START, 0);
    return fresh.looked(counts, START);
  }

  private static RedriveCounts counts(int waiting, int retrying, int delivered, int dead) {
    return new RedriveCounts(
        waiting + retrying + delivered + dead, 0, waiting, retrying, delivered, dead, 0, 0);
  }

  private static RedriveDecision decide(
      RedriveSettings settings, RedriveProgress progress, RedriveInput input) {
    return Stepping.RULE.decide(settings, progress, input, START).decision();
  }

  @Test
  void what_the_limits_file_says_becomes_settings() {
    assertThat(RedriveSettings.of(RedriveLimits.DEFAULT)).isEqualTo(RedriveSettings.DEFAULT);
    assertThat(RedriveSettings.of(new RedriveLimits(0.5, 5L, 10, 0.8, 0.25)))
        .isEqualTo(new RedriveSettings(1, 5, 10, 80, 25, 20));
    assertThat(RedriveSettings.of(new RedriveLimits(6e7, 1_000_000_000L, 1_000_000, 1, 1.0)))
        .isEqualTo(new RedriveSettings(600_000, 100_000, 10_000, 100, 100, 20));
  }

  @Test
  void nothing_is_released_before_the_set_is_frozen() {
    RedriveProgress starting = RedriveProgress.starting(10, START);
    assertThat(decide(settings(0, 0, 100), starting, new RedriveInput(false, null, 0)))
        .isInstanceOf(RedriveDecision.Freezing.class);
    assertThat(decide(settings(0, 0, 100), starting, OPEN))
        .isInstanceOf(RedriveDecision.Release.class);
  }

  @Test
  void a_rate_is_exact_over_each_minute_however_the_steps_fall() {
    Seeds.forEach(
        3,
        random -> {
          for (int rate : new int[] {1, 7, 60, 600, 6_000}) {
            assertExact(rate, run(rate, Duration.ofMinutes(5), random));
          }
        });
  }

  private static void assertExact(int rate, List<Instant> releases) {
    for (int minute = 0; minute < 5; minute++) {
      Instant from = START.plus(Duration.ofMinutes(minute));
      long inMinute =
          releases.stream()
              .filter(at -> at.isAfter(from) && !at.isAfter(from.plusSeconds(60)))
              .count();
      assertThat(inMinute)
          .as("minute %d at %d a minute", minute, rate)
          .isBetween((long) Math.floor(rate * 0.99) - 1, (long) Math.ceil(rate * 1.01) + 1);
    }
  }

  /** Steps come up to 200 ms late. */
  private static List<Instant> run(int rate, Duration length, RandomGenerator random) {
    RedriveSettings settings = settings(rate, 0, 100);
    RedriveProgress progress = running(RedriveCounts.NONE);
    List<Instant> releases = new ArrayList<>();
    Instant now = START;
    while (!now.isAfter(START.plus(length))) {
      RedriveRule.Ruled ruled = Stepping.RULE.decide(settings, progress, OPEN, now);
      progress = ruled.progress();
      if (ruled.decision() instanceof RedriveDecision.Release(int most, _)) {
        for (int i = 0; i < most; i++) {
          releases.add(now);
        }
        progress = Stepping.RULE.released(progress, new RedriveRule.Released(0, most, 0));
      }
      Instant again = Objects.requireNonNull(ruled.decision().again());
      assertThat(again).isAfter(now);
      now = again.plusMillis(random.nextInt(200));
    }
    return releases;
  }

  @Test
  void what_a_long_stop_left_behind_is_not_caught_up_beyond_a_second() {
    RedriveProgress progress = running(RedriveCounts.NONE);
    Instant late = START.plus(Duration.ofHours(3));
    assertThat(Stepping.RULE.decide(settings(600, 0, 100), progress, OPEN, late).decision())
        .isInstanceOfSatisfying(
            RedriveDecision.Release.class, release -> assertThat(release.most()).isEqualTo(10));
  }

  @Test
  void a_clock_set_back_neither_stops_nor_floods_it() {
    RedriveProgress progress = running(RedriveCounts.NONE);
    Instant before = START.minus(Duration.ofHours(1));
    RedriveRule.Ruled ruled = Stepping.RULE.decide(settings(600, 0, 100), progress, OPEN, before);
    assertThat(ruled.decision()).isEqualTo(new RedriveDecision.Paced(600, before.plusMillis(100)));
  }

  @Test
  void it_fills_the_backlog_up_to_the_watermark_and_no_further() {
    RedriveProgress progress = running(RedriveCounts.NONE);
    assertThat(decide(settings(0, 0, 100), progress, new RedriveInput(true, null, 700)))
        .isInstanceOfSatisfying(
            RedriveDecision.Release.class, r -> assertThat(r.most()).isEqualTo(300));
    assertThat(decide(settings(0, 0, 100), progress, new RedriveInput(true, null, 1_000)))
        .isInstanceOfSatisfying(
            RedriveDecision.Backlog.class, wait -> assertThat(wait.sentence()).contains("1,000"));
  }

  @Test
  void a_closed_gate_stops_it_and_a_deleted_destination_ends_it() {
    RedriveProgress progress = running(RedriveCounts.NONE);
    for (Gate.Closed closed : Gate.Closed.values()) {
      RedriveDecision decision =
          decide(settings(0, 0, 100), progress, new RedriveInput(true, closed, 0));
      if (closed == Gate.Closed.DELETED) {
        assertThat(decision).isInstanceOf(RedriveDecision.DestinationDeleted.class);
      } else {
        assertThat(decision).isInstanceOf(RedriveDecision.Closed.class);
      }
    }
  }

  @Test
  void the_canary_goes_alone_and_is_judged_before_the_rest() {
    RedriveSettings settings = settings(0, 10, 100);
    assertThat(decide(settings, running(counts(4, 0, 0, 0)), OPEN))
        .isInstanceOfSatisfying(
            RedriveDecision.Release.class, r -> assertThat(r.most()).isEqualTo(6));
    assertThat(decide(settings, running(counts(3, 1, 6, 0)), OPEN))
        .isInstanceOf(RedriveDecision.Canary.class);
    assertThat(decide(settings, running(counts(2, 0, 8, 0)), OPEN))
        .isInstanceOf(RedriveDecision.Release.class);
    assertThat(decide(settings, running(counts(0, 2, 8, 0)), OPEN))
        .isInstanceOf(RedriveDecision.Release.class);
    assertThat(decide(settings, running(counts(4, 2, 3, 1)), OPEN))
        .isEqualTo(new RedriveDecision.CanaryFailed(3, 3, 10, 80, START.plusSeconds(2)));
  }

  @Test
  void a_set_smaller_than_its_canary_is_judged_when_it_is_all_out() {
    RedriveSettings settings = settings(0, 10, 100);
    RedriveProgress all = running(RedriveCounts.NONE).released(1_000_000, 3, 0);
    assertThat(decide(settings, all, OPEN)).isInstanceOf(RedriveDecision.Canary.class);
    assertThat(decide(settings, all.looked(counts(0, 0, 3, 0), START), OPEN))
        .isInstanceOf(RedriveDecision.Complete.class);
    assertThat(decide(settings, all.looked(counts(0, 0, 0, 3), START), OPEN))
        .isInstanceOf(RedriveDecision.CanaryFailed.class);
    RedriveProgress nothing = running(RedriveCounts.NONE).released(1_000_000, 0, 0);
    assertThat(decide(settings, nothing, OPEN)).isInstanceOf(RedriveDecision.Complete.class);
  }

  @Test
  void it_ends_itself_when_more_than_the_share_fails_again() {
    RedriveSettings settings = settings(0, 0, 50);
    assertThat(decide(settings, running(counts(100, 10, 9, 0)), OPEN))
        .isInstanceOf(RedriveDecision.Release.class);
    assertThat(decide(settings, running(counts(100, 5, 10, 5)), OPEN))
        .isInstanceOf(RedriveDecision.Release.class);
    RedriveRule.Ruled ruled =
        Stepping.RULE.decide(settings, running(counts(100, 6, 10, 5)), OPEN, START);
    assertThat(ruled.progress().state()).isEqualTo(RedriveState.ABORTED);
    assertThat(ruled.progress().explained())
        .isEqualTo("11 of 21 messages failed again; the bound is 50 %");
  }

  @Test
  void what_is_paused_or_ended_is_followed_until_all_is_known() {
    for (RedriveState state :
        List.of(
            RedriveState.PAUSED,
            RedriveState.COMPLETED,
            RedriveState.CANCELLED,
            RedriveState.ABORTED)) {
      RedriveProgress open = running(counts(1, 0, 0, 0)).in(state);
      assertThat(decide(settings(0, 0, 100), open, OPEN).again()).isNotNull();
      RedriveProgress known = running(counts(0, 0, 1, 0)).in(state);
      assertThat(decide(settings(0, 0, 100), known, OPEN).again()).isNull();
    }
  }
}
