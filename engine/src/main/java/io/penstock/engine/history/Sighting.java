package io.penstock.engine.history;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a destination's budget looked like after answers were booked, and what turned on the way.
 *
 * @param at the ledger's time of the booking
 * @param rate in force, per second
 * @param ceiling the configured rate, per second
 * @param knee where the receiver's limit was last found, per second; null = unknown
 * @param throttled answers that asked for less
 */
public record Sighting(
    String destinationId,
    Instant at,
    double rate,
    double ceiling,
    @Nullable Double knee,
    int throttled,
    List<Mark> marks) {

  public Sighting {
    marks = List.copyOf(marks);
  }

  /** What one feedback did to a budget. */
  public static Sighting of(
      String destinationId,
      BudgetState before,
      BudgetState after,
      BudgetSettings settings,
      Feedback feedback,
      Instant now) {
    List<Mark> marks = new ArrayList<>();
    double from = before.ratePerSecond(settings);
    double to = after.ratePerSecond(settings);
    String cause = causeOf(feedback);
    if (!before.parked() && to < from && after.generation() != before.generation()) {
      marks.add(new Mark(Mark.Kind.CUT, cause, from, to, 0));
    }
    int failures = after.failures();
    if (!before.parked() && after.parked()) {
      marks.add(new Mark(Mark.Kind.PARKED, cause, from, to, failures));
    } else if (before.parked() && !after.parked()) {
      marks.add(new Mark(Mark.Kind.UNPARKED, cause, from, to, before.failures()));
    } else if (after.parked() && failures > before.failures()) {
      marks.add(new Mark(Mark.Kind.PROBE_FAILED, cause, from, to, failures));
    }
    if (after.closed() != null && after.closed() != before.closed()) {
      String reason = after.closed().name().toLowerCase(Locale.ROOT);
      marks.add(new Mark(Mark.Kind.CLOSED, reason, from, to, 0));
    }
    return new Sighting(
        destinationId,
        now,
        to,
        settings.ratePerSecond(),
        after.knee(),
        throttled(feedback) ? 1 : 0,
        marks);
  }

  /** This one and a later one of the same budget and the same time, as one. */
  public Sighting then(Sighting later) {
    List<Mark> all = new ArrayList<>(marks);
    all.addAll(later.marks);
    return new Sighting(
        destinationId,
        later.at,
        later.rate,
        later.ceiling,
        later.knee,
        throttled + later.throttled,
        all);
  }

  private static boolean throttled(Feedback feedback) {
    return feedback instanceof Feedback.Ended ended && ended.outcome() instanceof Outcome.Throttled;
  }

  private static String causeOf(Feedback feedback) {
    return switch (feedback) {
      case Feedback.Ended ended -> {
        Outcome outcome = ended.outcome();
        yield outcome.status() > 0 ? Integer.toString(outcome.status()) : outcome.detail();
      }
      case Feedback.HandedBack _ -> "handed_back";
      case Feedback.LeaseLost _ -> Outcome.Unknown.LEASE_LOST;
    };
  }
}
