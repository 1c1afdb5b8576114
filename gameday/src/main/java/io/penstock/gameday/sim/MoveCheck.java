package io.penstock.gameday.sim;

import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.limits.Backoff;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state diagram and the outcome matrix as the auditor knows them, written from the promises and
 * not from the engine. Every method answers null when all is well, or what is wrong.
 */
final class MoveCheck {
  private static final Duration REFUSED_AGAIN = Duration.ofSeconds(30);
  private static final int LAST_REFUSAL = 3;

  /** Back-off is counted in milliseconds. */
  private static final Duration ROUNDING = Duration.ofMillis(1);

  private final Backoff backoff;

  MoveCheck(Backoff backoff) {
    this.backoff = backoff;
  }

  /** What may have become of the delivery, beside what its answer alone says. */
  record Circumstances(boolean parkedBefore, boolean heldAfter, boolean leaseLost) {}

  /** A move must be on the diagram; {@code last} is the last finished row of a redriven one. */
  static @Nullable String diagram(
      Operation operation,
      @Nullable DeliveryRow before,
      DeliveryRow after,
      @Nullable DeliveryRow last) {
    if (before == null) {
      return born(operation, after, last);
    }
    boolean legal =
        switch (operation) {
          case CLAIM -> before.waits() && after.state() == DeliveryState.LEASED;
          case RENEW ->
              before.state() == DeliveryState.LEASED && after.state() == DeliveryState.LEASED;
          case SETTLE, END_JOBS ->
              before.state() == DeliveryState.LEASED
                  && after.state() != DeliveryState.LEASED
                  && after.state() != DeliveryState.CANCELLED;
          case EXPIRE, SHELVE -> before.waits() && after.state() == DeliveryState.DEAD;
          case CANCEL -> before.hot() && after.state() == DeliveryState.CANCELLED;
          default -> false;
        };
    long leaseNo = before.leaseNo() + (operation == Operation.CLAIM ? 1 : 0);
    if (!legal) {
      return "%s moved it from %s to %s".formatted(operation, before.state(), after.state());
    }
    if (after.leaseNo() != leaseNo) {
      return "lease number %d became %d".formatted(before.leaseNo(), after.leaseNo());
    }
    if (after.position() != before.position() || after.redriveCount() != before.redriveCount()) {
      return "its position or its count of redrives changed";
    }
    if ((after.state() == DeliveryState.RETRYING)
        != (after.waits() && after.lane() == Lane.RETRY)) {
      return "state %s on lane %s".formatted(after.state(), after.lane());
    }
    boolean failed =
        after.state() == DeliveryState.DEAD || after.state() == DeliveryState.CANCELLED;
    return failed == (after.reason() != null)
        ? null
        : "state %s with reason %s".formatted(after.state(), after.reason());
  }

  private static @Nullable String born(
      Operation operation, DeliveryRow after, @Nullable DeliveryRow last) {
    boolean legal =
        switch (operation) {
          case ACCEPT -> last == null && after.leaseNo() == 0 && after.lane() == Lane.FIRST;
          case REDRIVE, REDRIVE_STEP -> last != null && last.state() == DeliveryState.DEAD;
          case SEND_AGAIN -> last != null && last.state() == DeliveryState.DELIVERED;
          default -> false;
        };
    if (!legal || after.attempt() != 0) {
      return "%s made a row %s with %d attempts"
          .formatted(operation, after.state(), after.attempt());
    }
    return last == null || after.leaseNo() > last.leaseNo()
        ? null
        : "lease number %d after %d".formatted(after.leaseNo(), last.leaseNo());
  }

  /** What a settle did must be what the matrix says about what came back for this lease. */
  @Nullable String matrix(
      DeliveryRow before,
      DeliveryRow after,
      Leases.Lease lease,
      DestinationLimits limits,
      Circumstances circumstances,
      Instant now) {
    if (circumstances.leaseLost()) {
      Instant until = before.leaseUntil();
      return until == null || now.isBefore(until)
          ? "a lease that runs until %s was lost at %s".formatted(until, now)
          : spent(before, after, limits, true, now);
    }
    if (!lease.sent) {
      boolean ended =
          after.state() == DeliveryState.DEAD
              && after.attempt() == before.attempt()
              && (after.reason() == Reason.EXPIRED
                  || after.reason() == Reason.DESTINATION_DELETED
                  || after.reason() == Reason.DESTINATION_DISABLED);
      return ended ? null : keptPlace(before, after, "what was not sent");
    }
    Outcome outcome = lease.outcome;
    if (outcome == null) {
      return "it was settled before its answer came";
    }
    boolean keeps =
        (circumstances.parkedBefore() && lease.probe)
            || (circumstances.heldAfter() && outcome instanceof Outcome.Rejected);
    if (keeps && keptPlace(before, after, "") == null) {
      return null;
    }
    return byOutcome(before, after, outcome, limits, now);
  }

  private @Nullable String byOutcome(
      DeliveryRow before,
      DeliveryRow after,
      Outcome outcome,
      DestinationLimits limits,
      Instant now) {
    return switch (outcome) {
      case Outcome.Delivered _ -> ended(before, after, DeliveryState.DELIVERED, null, 1);
      case Outcome.Throttled _ -> keptPlace(before, after, "what was throttled");
      case Outcome.Ours _ -> keptPlace(before, after, "what failed on our side");
      case Outcome.Misconfigured _ -> keptPlace(before, after, "what we could not send");
      case Outcome.Transient _ -> spent(before, after, limits, false, now);
      case Outcome.Unknown _ -> spent(before, after, limits, true, now);
      case Outcome.Rejected _ -> ended(before, after, DeliveryState.DEAD, Reason.REJECTED, 1);
      case Outcome.Gone _ -> ended(before, after, DeliveryState.DEAD, Reason.GONE, 1);
      case Outcome.Unsendable _ -> ended(before, after, DeliveryState.DEAD, after.reason(), 0);
      case Outcome.Unauthorised _ ->
          before.attempt() + 1 >= LAST_REFUSAL
              ? ended(before, after, DeliveryState.DEAD, Reason.UNAUTHORISED, 1)
              : retried(before, after, REFUSED_AGAIN.multipliedBy(before.attempt() + 1L), 1, now);
    };
  }

  private @Nullable String spent(
      DeliveryRow before,
      DeliveryRow after,
      DestinationLimits limits,
      boolean unknown,
      Instant now) {
    if (unknown && limits.onUnknown() == OnUnknown.SHELF) {
      return ended(before, after, DeliveryState.DEAD, Reason.OUTCOME_UNKNOWN, 1);
    }
    int attempt = before.attempt() + 1;
    if (attempt >= limits.maxAttempts()) {
      return ended(before, after, DeliveryState.DEAD, Reason.EXHAUSTED, 1);
    }
    double whole = backoff.base().toMillis() * Math.pow(backoff.factor(), attempt - 1);
    long most = Math.min(backoff.longest().toMillis(), (long) whole);
    return retried(before, after, Duration.ofMillis(most), 0.5, now);
  }

  private static @Nullable String retried(
      DeliveryRow before, DeliveryRow after, Duration most, double least, Instant now) {
    Duration wait = Duration.between(now, after.notBefore());
    boolean inTime =
        wait.compareTo(most.plus(ROUNDING)) <= 0
            && wait.plus(ROUNDING).toMillis() >= (long) (most.toMillis() * least);
    boolean right =
        after.state() == DeliveryState.RETRYING
            && after.lane() == Lane.RETRY
            && after.attempt() == before.attempt() + 1;
    return right && inTime
        ? null
        : "a failed attempt %d became %s, attempt %d, due in %s and not within %s"
            .formatted(before.attempt() + 1, after.state(), after.attempt(), wait, most);
  }

  private static @Nullable String ended(
      DeliveryRow before,
      DeliveryRow after,
      DeliveryState state,
      @Nullable Reason reason,
      int spent) {
    return after.state() == state
            && after.reason() == reason
            && after.attempt() == before.attempt() + spent
        ? null
        : "wanted %s %s with attempt %d, got %s %s with attempt %d"
            .formatted(
                state,
                reason,
                before.attempt() + spent,
                after.state(),
                after.reason(),
                after.attempt());
  }

  private static @Nullable String keptPlace(DeliveryRow before, DeliveryRow after, String what) {
    return after.waits()
            && after.lane() == before.lane()
            && after.notBefore().equals(before.notBefore())
            && after.attempt() == before.attempt()
        ? null
        : "%s did not keep its place: lane %s attempt %d due %s became %s lane %s attempt %d due %s"
            .formatted(
                what,
                before.lane(),
                before.attempt(),
                before.notBefore(),
                after.state(),
                after.lane(),
                after.attempt(),
                after.notBefore());
  }
}
