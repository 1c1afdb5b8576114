package io.penstock.server.why;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Decision;
import io.penstock.budget.RefuseReason;
import io.penstock.budget.WaitReason;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.postgres.read.DeliveryView;
import io.penstock.postgres.read.GateView;
import io.penstock.postgres.read.TubeView;
import io.penstock.postgres.read.WaitingView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why something waits, and until when: asked of the same pure rules that claims ask, and put into
 * one sentence. Pure.
 *
 * @param code the stable word for programs
 * @param until when it can go at the earliest; null = somebody must act, or nothing waits
 */
record Why(String code, String sentence, @Nullable Instant until) {

  /**
   * What is known of the workers of a tube.
   *
   * @param asked how many asked for it within a minute
   * @param last when the last one did; null = none did
   * @param holder who holds the job that is asked about; null = nobody does
   */
  record Workers(int asked, @Nullable Instant last, TubeView.@Nullable Running holder) {
    /** For what is pushed. */
    static final Workers NONE = new Workers(0, null, null);
  }

  /** The answer for a destination, or for the delivery that the view is about. */
  static Why of(WaitingView view, BudgetSettings settings, Workers workers) {
    DeliveryView delivery = view.delivery();
    if (delivery != null && isOver(delivery.state())) {
      return over(delivery);
    }
    if (delivery != null && workers.holder() != null) {
      return held(workers.holder(), view.now());
    }
    if (delivery != null && delivery.state() == DeliveryState.LEASED) {
      return new Why(
          "leased",
          "It is being sent by %s right now; the lease runs until %s."
              .formatted(delivery.leasedBy(), delivery.leaseUntil()),
          delivery.leaseUntil());
    }
    if (delivery == null && view.heads().isEmpty()) {
      return new Why("nothing_waits", "Nothing waits for this destination.", null);
    }
    Gate.Closed closed = view.destination().inForce().closed();
    if (closed != null) {
      return closed(closed, view);
    }
    Instant due = delivery == null ? earliest(view) : delivery.notBefore();
    if (due.isAfter(view.now())) {
      return new Why(
          "scheduled",
          "%s is scheduled for %s, in %s%s."
              .formatted(
                  first(view), due, human(Duration.between(view.now(), due)), attempts(delivery)),
          due);
    }
    return behindBudget(view, settings, workers);
  }

  private static Why held(TubeView.Running holder, Instant now) {
    return new Why(
        "leased",
        "Worker %s has been working on it for %s%s; the lease runs until %s."
            .formatted(
                holder.worker(),
                human(Duration.between(holder.heldFrom(), now)),
                holder.lent() ? ", on worker-time that its pool had to spare" : "",
                holder.leaseUntil()),
        holder.leaseUntil());
  }

  /** A tube that may go waits for a worker to ask. */
  private static Why forWorker(Decision.Admit admit, Workers workers, Instant now) {
    String who =
        workers.last() == null
            ? "no worker has asked for this tube within the last minute; is one running, and does"
                + " its pool name the tube?"
            : "%,d workers serve it, the last one asked %s ago; all may be busy."
                .formatted(workers.asked(), human(Duration.between(workers.last(), now)));
    return new Why(
        "waits_for_worker",
        "The budget lets %,d go, to workers that ask: %s".formatted(admit.most(), who),
        null);
  }

  private static Why behindBudget(WaitingView view, BudgetSettings settings, Workers workers) {
    Decision decision = Budget.ask(view.destination().budget(), settings, view.now()).decision();
    Why budget =
        switch (decision) {
          case Decision.Admit admit
              when view.destination().destination().mode() == Destination.Mode.PULL ->
              forWorker(admit, workers, view.now());
          case Decision.Admit admit ->
              new Why(
                  "due",
                  "It is due now: the budget lets %,d go at once, and a node takes them within a"
                          .formatted(admit.most())
                      + " moment.",
                  view.now());
          case Decision.Wait wait -> waits(wait, view.now());
          case Decision.Refuse refuse -> refused(refuse.reason());
        };
    return view.ahead() == 0
        ? budget
        : new Why(
            budget.code(),
            "%s %s go before it.".formatted(budget.sentence(), ahead(view.ahead())),
            budget.until());
  }

  private static Why waits(Decision.Wait wait, Instant now) {
    String until =
        "until %s (%s)".formatted(wait.until(), human(Duration.between(now, wait.until())));
    String sentence =
        switch (wait.reason()) {
          case WaitReason.Tokens r ->
              "The bucket holds %.2f of the 1 token that a request costs, and fills at %s a second"
                      .formatted(r.tokens(), number(r.ratePerSecond()))
                  + " (ceiling %s): %s.".formatted(number(r.ceilingPerSecond()), until);
          case WaitReason.Slots r ->
              "%,d of %,d slots are in flight; the next answer frees one, %s at the latest."
                  .formatted(r.inFlight(), r.limit(), until);
          case WaitReason.Pinned r ->
              (r.byHint()
                      ? "The receiver said when to come back"
                      : "The receiver answered 429 %,d times in a row".formatted(r.misses()))
                  + ": nothing goes %s.".formatted(until);
          case WaitReason.Parked r ->
              "Parked since %s after %,d failures in a row; %s."
                  .formatted(
                      r.since(),
                      r.failures(),
                      r.probeOut() ? "a probe is out, " + until : "the next probe goes " + until);
          case WaitReason.Quota r ->
              "The quota of %,d in %s is spent (%,d): %s."
                  .formatted(r.limit(), human(r.window()), r.used(), until);
          case WaitReason.RetryAllowance r ->
              "Retries have used up their share of what is sent (%.1f left): %s."
                  .formatted(r.allowance(), until);
          case WaitReason.WorkerSeconds r ->
              "The tube has banked %.1f of the %.1f worker-seconds that a job takes: %s."
                  .formatted(r.balance(), r.wanted(), until);
        };
    return new Why(wait.reason().code(), sentence, wait.until());
  }

  private static Why refused(RefuseReason reason) {
    String sentence =
        switch (reason) {
          case RATE_ZERO -> "Its rate_per_second is 0 in limits.yaml; raise it there.";
          case HELD_REJECTED ->
              "Held after a run of rejections (a bad deploy at the receiver?); release it when the"
                  + " receiver is well.";
          case HELD_UNAUTHORISED ->
              "Held after a run of 401 or 403 (a credential?); release it when that is mended.";
          case HELD_MISCONFIGURED ->
              "Held because our configuration of it is wrong (a secret, an address); mend it and"
                  + " release it.";
          case GONE -> "The receiver answered 410: it is gone for good.";
          case AUTO_DISABLED ->
              "Disabled: it only failed, longer and more often than auto_disable in limits.yaml"
                  + " allows; enable it when the receiver is well.";
        };
    return new Why(reason.name().toLowerCase(Locale.ROOT), sentence, null);
  }

  private static Why closed(Gate.Closed closed, WaitingView view) {
    return switch (closed) {
      case DELETED ->
          new Why("deleted", "The destination was deleted; what waits goes to the shelf.", null);
      case DISABLED ->
          new Why("disabled", "The destination is disabled; enable it to let work flow.", null);
      case PAUSED -> new Why("paused", "%s is paused; resume it.".formatted(who(view)), null);
      case HELD ->
          new Why(
              "held",
              "Penstock holds the destination for an operator; mend the cause and release it.",
              null);
    };
  }

  private static String who(WaitingView view) {
    GateView own = view.destination().gate();
    if (own.paused()) {
      return "The destination";
    }
    return view.tenant().paused() ? "The tenant" : "The whole installation";
  }

  private static Why over(DeliveryView delivery) {
    String when = delivery.endedAt() == null ? "" : " at " + delivery.endedAt();
    String why =
        switch (delivery.state()) {
          case DELIVERED -> "It was delivered%s.".formatted(when);
          case CANCELLED -> "It was cancelled%s.".formatted(when);
          case DEAD ->
              "It ended%s without success%s after %d attempts; a redrive sends it again."
                  .formatted(when, reason(delivery), delivery.attempts());
          case PENDING, RETRYING, LEASED -> throw new IllegalStateException("it is not over");
        };
    return new Why(delivery.state().word(), why, null);
  }

  private static String reason(DeliveryView delivery) {
    return delivery.reason() == null ? "" : " (" + delivery.reason().word() + ")";
  }

  private static boolean isOver(DeliveryState state) {
    return switch (state) {
      case PENDING, RETRYING, LEASED -> false;
      case DELIVERED, DEAD, CANCELLED -> true;
    };
  }

  /** Who is meant: the delivery that was asked about, or the first that the destination has. */
  private static String first(WaitingView view) {
    if (view.delivery() != null) {
      return "It";
    }
    Lane lane =
        view.heads().stream()
            .min(Comparator.comparing(WaitingView.Head::notBefore))
            .map(WaitingView.Head::lane)
            .orElse(Lane.FIRST);
    return switch (lane) {
      case FIRST -> "The first in line";
      case RETRY -> "The first in line, a retry after a failed attempt,";
      case REDRIVE -> "The first in line, redriven,";
    };
  }

  private static Instant earliest(WaitingView view) {
    return view.heads().stream()
        .map(WaitingView.Head::notBefore)
        .min(Instant::compareTo)
        .orElse(view.now());
  }

  private static String attempts(@Nullable DeliveryView delivery) {
    if (delivery == null || delivery.attempts() == 0) {
      return "";
    }
    return " after %d attempts (last status %s)"
        .formatted(
            delivery.attempts(), delivery.lastStatus() == 0 ? "none" : delivery.lastStatus());
  }

  private static String ahead(long ahead) {
    return ahead >= 10_000 ? "10,000 or more" : "%,d".formatted(ahead);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? "%,.0f".formatted(value) : "%,.2f".formatted(value);
  }

  /** A duration as people say it. */
  static String human(Duration duration) {
    if (duration.toMillis() < 1_000) {
      return "%d ms".formatted(Math.max(0, duration.toMillis()));
    }
    if (duration.toSeconds() < 120) {
      return "%.1f s".formatted(duration.toMillis() / 1_000.0);
    }
    return duration.toMinutes() < 120
        ? "%d min".formatted(duration.toMinutes())
        : "%.1f h".formatted(duration.toMinutes() / 60.0);
  }
}
