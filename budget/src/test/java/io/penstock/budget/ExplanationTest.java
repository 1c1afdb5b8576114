package io.penstock.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ExplanationTest {
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

  static Stream<Arguments> sentences() {
    return Stream.of(
        row(new Decision.Admit(12, 3, 12, false, 7, Duration.ZERO), "12 may go now."),
        row(
            new Decision.Admit(6, 6, 6, false, 7, Duration.ofMillis(100)),
            "6 may go now, spread over 100 ms."),
        row(
            new Decision.Admit(1, 1, 1, true, 7, Duration.ZERO),
            "One may go now, as a probe of whether the receiver is back."),
        waits(
            40,
            new WaitReason.Tokens(0.2, 25, 25),
            "Waits until 2026-03-10T12:00:00.040Z (40 ms): the configured rate of 25 per second is"
                + " used up."),
        waits(
            40,
            new WaitReason.Tokens(0.2, 12.5, 25),
            "Waits until 2026-03-10T12:00:00.040Z (40 ms): the rate is down to 12.5 of 25 per"
                + " second, because of what the receiver answered."),
        waits(
            1_000,
            new WaitReason.Slots(32, 32),
            "Waits until 2026-03-10T12:00:01Z (1 s): 32 are in flight, of at most 32 at once."),
        waits(
            5_500,
            new WaitReason.Pinned(1, true),
            "Waits until 2026-03-10T12:00:05.500Z (5.5 s): the receiver asked to be left alone for"
                + " so long."),
        waits(
            800,
            new WaitReason.Pinned(4, false),
            "Waits until 2026-03-10T12:00:00.800Z (800 ms): the receiver refused 4 times in a row"
                + " without saying when to come back."),
        waits(
            5_000,
            new WaitReason.Pinned(0, false),
            "Waits until 2026-03-10T12:00:05Z (5 s): it cannot be sent to right now, for a reason"
                + " on our side."),
        waits(
            90_000,
            new WaitReason.Parked(NOW.minusSeconds(60), 25, false),
            "Waits until 2026-03-10T12:01:30Z (1 min 30 s): parked since 2026-03-10T11:59:00Z after"
                + " 25 failures in a row, until the next probe."),
        waits(
            20_000,
            new WaitReason.Parked(NOW.minusSeconds(60), 25, true),
            "Waits until 2026-03-10T12:00:20Z (20 s): parked since 2026-03-10T11:59:00Z after 25"
                + " failures in a row, and a probe is under way."),
        waits(
            10 * 3_600_000,
            new WaitReason.Quota(8_000, 10_000, Duration.ofHours(23)),
            "Waits until 2026-03-10T22:00:00Z (10 h 0 min): 8000 of a quota of 10000 per 23 h 0 min"
                + " are used."),
        waits(
            700,
            new WaitReason.RetryAllowance(0.3),
            "Waits until 2026-03-10T12:00:00.700Z (700 ms): retries have used up their share (0.30"
                + " left), first attempts go on."),
        waits(
            30_000,
            new WaitReason.WorkerSeconds(-12.4, 34, 0.35),
            "Waits until 2026-03-10T12:00:30Z (30 s): it has -12.4 of the 34 worker-seconds that"
                + " its next job is expected to take, at 0.35 workers."),
        row(
            new Decision.Refuse(RefuseReason.RATE_ZERO),
            "Stopped until somebody acts: the configured rate is 0."));
  }

  private static Arguments row(Decision decision, String sentence) {
    return Arguments.of(decision, sentence);
  }

  private static Arguments waits(long millis, WaitReason reason, String sentence) {
    return row(new Decision.Wait(NOW.plusMillis(millis), reason), sentence);
  }

  @ParameterizedTest
  @MethodSource("sentences")
  void aDecisionIsOneSentence(Decision decision, String sentence) {
    assertThat(Explanation.of(decision, NOW)).isEqualTo(sentence);
  }

  @Test
  void everyReasonToWaitIsInTheTable() {
    assertThat(Arrays.asList(WaitReason.class.getPermittedSubclasses()))
        .allMatch(reason ->
            sentences()
                .map(row -> row.get()[0])
                .anyMatch(decision ->
                    decision instanceof Decision.Wait wait && reason.isInstance(wait.reason())));
  }

  @ParameterizedTest
  @EnumSource(RefuseReason.class)
  void everyReasonToRefuseHasItsWords(RefuseReason reason) {
    assertThat(Explanation.of(new Decision.Refuse(reason), NOW))
        .startsWith("Stopped until somebody acts: ")
        .endsWith(".");
  }
}
