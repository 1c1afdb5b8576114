package io.penstock.server.recurring;

import io.penstock.engine.event.Header;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Template;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as the API shows it.
 *
 * @param state active, paused, or ended when it never comes again
 * @param over the window over which each instant's deliveries are spread
 * @param items an instant sends one event about each
 * @param every the interval, of those that have one; {@code from} is one of its instants
 * @param nextAt when it comes next
 * @param next the next ones, as many as were asked for; not in lists
 */
record ScheduleBody(
    String id,
    String tenantId,
    String state,
    @Nullable String every,
    @Nullable Instant from,
    @Nullable String cron,
    @Nullable String zone,
    @Nullable String onGap,
    @Nullable String onRepeat,
    CatchUpBody catchUp,
    @Nullable String over,
    @Nullable List<String> items,
    TemplateBody event,
    @Nullable Instant nextAt,
    @Nullable List<NextBody> next,
    CountsBody counts,
    @Nullable FiringBody last,
    String createdBy,
    String reason,
    Instant createdAt) {

  record CatchUpBody(String within, String missed) {}

  /** The event, without its payload. */
  record TemplateBody(
      String type,
      String contentType,
      List<Header> headers,
      String urgency,
      List<String> destinations,
      int size) {
    static TemplateBody of(Template template) {
      return new TemplateBody(
          template.type(),
          template.contentType(),
          template.headers(),
          template.urgency().name().toLowerCase(Locale.ROOT),
          template.destinationIds(),
          template.body().length);
    }
  }

  /** An instant to come, and what clocks of its zone show then. */
  record NextBody(Instant at, @Nullable String local) {}

  /** What became of its instants. */
  record CountsBody(long fired, long refused, long tooOld, long merged) {
    static CountsBody of(Schedule.Counts counts) {
      return new CountsBody(counts.fired(), counts.refused(), counts.tooOld(), counts.merged());
    }
  }

  /** An instant that came. */
  record FiringBody(
      Instant at, Instant firedAt, long lateMs, @Nullable UUID eventId, @Nullable String problem) {
    static FiringBody of(Firing firing) {
      return new FiringBody(
          firing.at(),
          firing.firedAt(),
          firing.late().toMillis(),
          firing.eventId(),
          firing.problem().isEmpty() ? null : firing.problem());
    }
  }

  /** As in a list. */
  static ScheduleBody of(Schedule schedule) {
    return of(schedule, null);
  }

  /** With the next instants, so many. */
  static ScheduleBody withNext(Schedule schedule, int count) {
    List<NextBody> next = new ArrayList<>();
    Optional<Instant> at = Optional.ofNullable(schedule.nextAt());
    while (at.isPresent() && next.size() < count) {
      next.add(new NextBody(at.get(), local(schedule.recurrence(), at.get())));
      at = schedule.recurrence().next(at.get());
    }
    return of(schedule, next);
  }

  private static @Nullable String local(Recurrence recurrence, Instant at) {
    return switch (recurrence) {
      case Recurrence.Every _ -> null;
      case Recurrence.Cron cron -> at.atZone(cron.zone()).toOffsetDateTime().toString();
    };
  }

  private static ScheduleBody of(Schedule schedule, @Nullable List<NextBody> next) {
    Recurrence.Every every = schedule.recurrence() instanceof Recurrence.Every e ? e : null;
    Recurrence.Cron cron = schedule.recurrence() instanceof Recurrence.Cron c ? c : null;
    Firing last = schedule.last();
    Duration over = schedule.template().over();
    List<String> items = schedule.template().items();
    return new ScheduleBody(
        schedule.id(),
        schedule.tenantId(),
        schedule.paused() ? "paused" : schedule.nextAt() == null ? "ended" : "active",
        every == null ? null : ScheduleRequest.words(every.every()),
        every == null ? null : every.from(),
        cron == null ? null : cron.expression().text(),
        cron == null ? null : cron.zone().getId(),
        cron == null ? null : ScheduleRequest.word(cron.onChange().gap()),
        cron == null ? null : ScheduleRequest.word(cron.onChange().repeat()),
        new CatchUpBody(
            ScheduleRequest.words(schedule.catchUp().within()),
            ScheduleRequest.word(schedule.catchUp().missed())),
        over == null ? null : ScheduleRequest.words(over),
        items.isEmpty() ? null : items,
        TemplateBody.of(schedule.template()),
        schedule.nextAt(),
        next,
        CountsBody.of(schedule.counts()),
        last == null ? null : FiringBody.of(last),
        schedule.createdBy(),
        schedule.reason(),
        schedule.createdAt());
  }
}
