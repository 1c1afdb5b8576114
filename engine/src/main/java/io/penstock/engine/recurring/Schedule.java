package io.penstock.engine.recurring;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recurring order to send an event, as it is stored.
 *
 * @param id unique in the installation
 * @param paused whether it comes at all; a paused one owes nothing when it is resumed
 * @param nextAt the first instant that was not looked at; null = it is paused, or comes no more
 * @param counts since it was made
 * @param last the newest instant that came; null = none yet
 * @param createdBy who made it, as the audit names them
 * @param reason why, in their words
 */
public record Schedule(
    String id,
    String tenantId,
    Recurrence recurrence,
    CatchUp catchUp,
    Template template,
    boolean paused,
    @Nullable Instant nextAt,
    Counts counts,
    @Nullable Firing last,
    String createdBy,
    String reason,
    Instant createdAt) {

  /**
   * What became of its instants.
   *
   * @param fired those that came and were taken
   * @param refused those that came and were not
   * @param tooOld those that lay before the catch-up window
   * @param merged those for which a newer one stood
   */
  public record Counts(long fired, long refused, long tooOld, long merged) {
    public static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts plus(long moreFired, long moreRefused, Due due) {
      return new Counts(
          fired + moreFired, refused + moreRefused, tooOld + due.tooOld(), merged + due.merged());
    }
  }

  /** A new one, which comes for the first time after {@code now}. */
  public static Schedule made(
      String id,
      String tenantId,
      Recurrence recurrence,
      CatchUp catchUp,
      Template template,
      String createdBy,
      String reason,
      Instant now) {
    return new Schedule(
        id,
        tenantId,
        recurrence,
        catchUp,
        template,
        false,
        recurrence.next(now).orElse(null),
        Counts.NONE,
        null,
        createdBy,
        reason,
        now);
  }

  /** The same, paused: nothing comes, and nothing is owed. */
  public Schedule pausedNow() {
    return with(true, null, counts, last);
  }

  /**
   * The same, resumed: it comes next after {@code now}, and after all that has come, although the
   * clock was set back meanwhile.
   */
  public Schedule resumedAt(Instant now) {
    Instant from = last != null && last.at().isAfter(now) ? last.at() : now;
    return with(false, recurrence.next(from).orElse(null), counts, last);
  }

  Schedule with(boolean nowPaused, @Nullable Instant next, Counts sum, @Nullable Firing newest) {
    return new Schedule(
        id,
        tenantId,
        recurrence,
        catchUp,
        template,
        nowPaused,
        next,
        sum,
        newest,
        createdBy,
        reason,
        createdAt);
  }
}
