package io.penstock.engine.recurring;

import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.NewEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction fires of the schedules that it has locked: their events, and how they stand
 * afterwards. The same for every ledger. Pure, but for the ids. For one thread.
 */
public final class FiringPlan {
  /** Schedules locked at once. */
  public static final int MOST_SCHEDULES = 100;

  /** Events of one transaction; a schedule whose turn does not come waits for the next one. */
  public static final int MOST_EVENTS = 500;

  /** Their payloads together, and those of one instant. */
  public static final int MOST_BYTES = 8 << 20;

  /** Instants looked at in one transaction, a few microseconds each. */
  static final int MOST_LOOKED = 20_000;

  private final List<One> ones = new ArrayList<>();
  private final List<NewEvent> events = new ArrayList<>();
  private final Instant now;

  private record One(Schedule schedule, Due due) {}

  /**
   * A schedule that was looked after.
   *
   * @param schedule as it stands now
   * @param answers what became of the events of its firings
   */
  public record Done(Schedule schedule, Due due, List<Firing> firings, List<Acceptance> answers) {}

  private FiringPlan(Instant now) {
    this.now = now;
  }

  /**
   * Plans what is due.
   *
   * @param locked due at {@code now}, the longest due first
   * @param ids makes the ids of the events
   */
  public static FiringPlan of(List<Schedule> locked, Instant now, Supplier<UUID> ids) {
    FiringPlan plan = new FiringPlan(now);
    int looked = Math.max(1, MOST_LOOKED / Math.max(1, locked.size()));
    long bytes = 0;
    for (Schedule one : locked) {
      Instant from = one.nextAt();
      int room = room(bytes, one.template(), plan.events.size());
      if (from == null || room == 0) {
        continue;
      }
      Due due = Due.of(one.recurrence(), one.catchUp(), from, now, looked, room);
      plan.ones.add(new One(one, due));
      bytes += (long) due.firing().size() * size(one.template());
      due.firing().forEach(at -> plan.add(one, at, ids));
    }
    return plan;
  }

  /** Bytes of one instant's events. */
  private static int size(Template template) {
    return Math.max(1, template.body().length * template.events());
  }

  /** How many instants there is room for: one at least when nothing is in it yet. */
  private static int room(long bytes, Template template, int events) {
    long most =
        Math.min((MOST_BYTES - bytes) / size(template), (MOST_EVENTS - events) / template.events());
    return (int) Math.max(most, events == 0 ? 1 : 0);
  }

  private void add(Schedule schedule, Instant at, Supplier<UUID> ids) {
    Template template = schedule.template();
    for (int nth = 0; nth < template.events(); nth++) {
      boolean about = !template.items().isEmpty();
      events.add(
          new NewEvent(
              ids.get(),
              schedule.tenantId(),
              template.type(),
              template.contentType(),
              template.headers(),
              template.body(),
              template.urgency(),
              key(schedule.id(), at) + (template.events() > 1 ? "/" + nth : ""),
              template.destinationIds(),
              about ? template.items().get(nth) : null,
              null,
              template.over()));
    }
  }

  /**
   * The idempotency key of an instant; receivers get it too. When it sends several events, each has
   * its number, from 0, behind a slash.
   */
  public static String key(String scheduleId, Instant at) {
    return "schedule/" + scheduleId + "/" + at;
  }

  /** The events, to be accepted in the transaction that holds the locks. */
  public List<NewEvent> events() {
    return List.copyOf(events);
  }

  /** How the schedules stand when {@code answers} is what became of the events. */
  public List<Done> after(List<Acceptance> answers) {
    List<Done> done = new ArrayList<>();
    int nth = 0;
    for (One one : ones) {
      List<Firing> firings = new ArrayList<>();
      int first = nth;
      for (Instant at : one.due().firing()) {
        int next = nth + one.schedule().template().events();
        firings.add(firing(one.schedule().id(), at, answers.subList(nth, next)));
        nth = next;
      }
      long fired = firings.stream().filter(firing -> firing.problem().isEmpty()).count();
      Schedule before = one.schedule();
      done.add(
          new Done(
              before.with(
                  false,
                  one.due().next(),
                  before.counts().plus(fired, firings.size() - fired, one.due()),
                  firings.isEmpty() ? before.last() : firings.getLast()),
              one.due(),
              firings,
              answers.subList(first, nth)));
    }
    return done;
  }

  private Firing firing(String id, Instant at, List<Acceptance> answers) {
    @Nullable UUID first = null;
    int refused = 0;
    String problem = "";
    for (Acceptance answer : answers) {
      String its = problem(answer);
      refused += its.isEmpty() ? 0 : 1;
      problem = problem.isEmpty() ? its : problem;
      first = first == null ? taken(answer) : first;
    }
    String told =
        refused == 0 || answers.size() == 1
            ? problem
            : "%,d of %,d events were refused: %s".formatted(refused, answers.size(), problem);
    return new Firing(id, at, now, first, told);
  }

  private static @Nullable UUID taken(Acceptance answer) {
    return switch (answer) {
      case Acceptance.Stored(UUID event, var _, var _) -> event;
      case Acceptance.Replayed(UUID event, var _, var _) -> event;
      case Acceptance.KeyConflict _,
          Acceptance.UnknownTenant _,
          Acceptance.UnknownDestination _,
          Acceptance.Full _ ->
          null;
    };
  }

  /** Why it was not taken; empty = it was. */
  private static String problem(Acceptance answer) {
    return switch (answer) {
      case Acceptance.Stored _, Acceptance.Replayed _ -> "";
      case Acceptance.KeyConflict(UUID first) ->
          "event %s came before with the key of this instant".formatted(first);
      case Acceptance.UnknownTenant(String tenant) -> "there is no tenant %s".formatted(tenant);
      case Acceptance.UnknownDestination(String destination) ->
          "there is no destination %s".formatted(destination);
      case Acceptance.Full full ->
          "%,d deliveries wait for %s, whose bound is %,d"
              .formatted(full.waiting(), full.what(), full.bound());
    };
  }
}
