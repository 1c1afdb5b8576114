package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Says a decision in one sentence of plain English: what an operator reads when asking why
 * something waits. Computed from the decision itself, so that it can never disagree with what is
 * done. Times are UTC.
 */
public final class Explanation {
  private Explanation() {}

  /** One sentence, with a full stop. */
  public static String of(Decision decision, Instant now) {
    return switch (decision) {
      case Decision.Admit admit -> admitted(admit);
      case Decision.Wait wait ->
          "Waits until %s (%s): %s."
              .formatted(
                  wait.until().truncatedTo(ChronoUnit.MILLIS),
                  length(Duration.between(now, wait.until())),
                  because(wait.reason()));
      case Decision.Refuse refuse ->
          "Stopped until somebody acts: " + because(refuse.reason()) + ".";
    };
  }

  private static String admitted(Decision.Admit admit) {
    if (admit.probe()) {
      return "One may go now, as a probe of whether the receiver is back.";
    }
    String pace = admit.paceOver().isZero() ? "" : ", spread over " + length(admit.paceOver());
    return "%d may go now%s.".formatted(admit.most(), pace);
  }

  private static String because(WaitReason reason) {
    return switch (reason) {
      case WaitReason.Tokens tokens ->
          tokens.ratePerSecond() < tokens.ceilingPerSecond()
              ? "the rate is down to %s of %s per second, because of what the receiver answered"
                  .formatted(number(tokens.ratePerSecond()), number(tokens.ceilingPerSecond()))
              : "the configured rate of %s per second is used up"
                  .formatted(number(tokens.ceilingPerSecond()));
      case WaitReason.Slots slots ->
          "%d are in flight, of at most %d at once".formatted(slots.inFlight(), slots.limit());
      case WaitReason.Pinned pinned ->
          pinned.byHint()
              ? "the receiver asked to be left alone for so long"
              : pinned.misses() == 0
                  ? "it cannot be sent to right now, for a reason on our side"
                  : "the receiver refused %s without saying when to come back"
                      .formatted(times(pinned.misses()));
      case WaitReason.Parked parked ->
          "parked since %s after %d failures in a row, %s"
              .formatted(
                  parked.since().truncatedTo(ChronoUnit.SECONDS),
                  parked.failures(),
                  parked.probeOut() ? "and a probe is under way" : "until the next probe");
      case WaitReason.Quota quota ->
          "%d of a quota of %d per %s are used"
              .formatted(quota.used(), quota.limit(), length(quota.window()));
      case WaitReason.RetryAllowance retry ->
          "retries have used up their share (%s left), first attempts go on"
              .formatted(number(retry.allowance()));
      case WaitReason.WorkerSeconds work ->
          "it has %s of the %s worker-seconds that its next job is expected to take, at %s workers"
              .formatted(number(work.balance()), number(work.wanted()), number(work.allotment()));
    };
  }

  private static String because(RefuseReason reason) {
    return switch (reason) {
      case RATE_ZERO -> "the configured rate is 0";
      case HELD_REJECTED -> "the receiver rejected everything for a while (a bad deploy there?)";
      case HELD_UNAUTHORISED -> "the receiver does not accept our credential (401 or 403)";
      case HELD_MISCONFIGURED -> "our configuration of it is wrong";
      case GONE -> "the receiver answered that it is gone for good (410)";
      case AUTO_DISABLED -> "it only failed for too long, and was disabled";
    };
  }

  private static String times(int count) {
    return count == 1 ? "once" : count == 2 ? "twice" : count + " times in a row";
  }

  private static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString(Math.round(value));
    }
    return String.format(Locale.ROOT, Math.abs(value) < 1 ? "%.2g" : "%.1f", value);
  }

  /** The two largest units that matter. */
  private static String length(Duration length) {
    long millis = Math.max(0, length.toMillis());
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return number(Math.ceil(millis / 100.0) / 10) + " s";
    }
    long minutes = length.toMinutes();
    if (minutes < 60) {
      return minutes + " min " + length.toSecondsPart() + " s";
    }
    return minutes < 24 * 60
        ? hours(length)
        : length.toDays() + " d " + length.toHoursPart() + " h";
  }

  private static String hours(Duration length) {
    return length.toHours() + " h " + length.toMinutesPart() + " min";
  }
}
