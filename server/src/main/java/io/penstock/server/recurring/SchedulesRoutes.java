package io.penstock.server.recurring;

import io.penstock.engine.ledger.Audit;
import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.FiringPlan;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Schedules;
import io.penstock.engine.recurring.Schedules.Command;
import io.penstock.engine.recurring.Schedules.Commanded;
import io.penstock.engine.recurring.Schedules.Made;
import io.penstock.engine.recurring.Template;
import io.penstock.server.auth.Scope;
import io.penstock.server.event.Bounds;
import io.penstock.server.event.EventField;
import io.penstock.server.event.EventRoutes;
import io.penstock.server.event.Posted;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.problem.ProblemException.Bound;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Makes, shows and steers schedules. Safe for use by many threads. */
public final class SchedulesRoutes {
  private static final Set<Scope> MAKE = EnumSet.of(Scope.PRODUCER);
  private static final Set<Scope> STEER = EnumSet.of(Scope.PRODUCER, Scope.OPERATOR);
  private static final Set<Scope> READ =
      EnumSet.of(Scope.PRODUCER, Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final String ONE = "/v1/schedules/{schedule}";
  private static final int MOST_REASON_CHARS = 500;

  /** A hundred schedules are read and sent at once, so that their payloads must not be large. */
  private static final int MOST_PAYLOAD_BYTES = 64 << 10;

  /** A payload in base64, headers, and 500 items of 256 characters. */
  private static final int MOST_REQUEST_BYTES = 1 << 20;

  private static final int MOST_NEXT = 100;
  private static final int DEFAULT_NEXT = 5;

  private final Schedules schedules;
  private final Bounds bounds;
  private final RandomGenerator random;
  private final Runnable wake;

  /**
   * @param wake makes this node's runner look; must not block
   */
  public SchedulesRoutes(
      Schedules schedules, Bounds bounds, RandomGenerator random, Runnable wake) {
    this.schedules = schedules;
    this.bounds = bounds;
    this.random = random;
    this.wake = wake;
  }

  public List<Route> routes() {
    return List.of(
        new Route("POST", "/v1/schedules", MAKE, Set.of(), MOST_REQUEST_BYTES, this::create),
        Route.get("/v1/schedules", READ, Set.of("tenant", "cursor", "limit"), this::list),
        Route.get(ONE, READ, Set.of("next"), this::show),
        Route.get(ONE + "/firings", READ, Set.of("cursor", "limit"), this::firings),
        Route.post(ONE + "/pause", STEER, call -> command(call, Command.PAUSE)),
        Route.post(ONE + "/resume", STEER, call -> command(call, Command.RESUME)),
        Route.post(ONE + "/delete", STEER, this::delete));
  }

  private Answer create(Call call) {
    Fields fields = call.fields().only(ScheduleRequest.KNOWN);
    String id =
        fields
            .optionalText("id", Texts.ID, Texts.ID_WORDS)
            .orElseGet(() -> "sch_" + HexFormat.of().toHexDigits(random.nextLong()));
    if (fields.has("id")) {
      // Ids are unique in the installation: who is bound to a tenant must not learn of others'.
      call.caller().mustSeeEverything();
    }
    Recurrence recurrence = ScheduleRequest.recurrence(fields, id);
    CatchUp catchUp = ScheduleRequest.catchUp(fields);
    String reason = fields.prose("reason", MOST_REASON_CHARS).orElse("");
    Posted event = EventField.read(bounds, call.body(), "event");
    Template template = template(fields, event);
    String tenant = EventRoutes.tenant(call, event);
    Audit by = call.audit(reason);
    return switch (schedules.create(
        now -> Schedule.made(id, tenant, recurrence, catchUp, template, by.actor(), reason, now),
        by)) {
      case Made.Created(Schedule made) -> {
        wake.run();
        yield Answer.json(201, ScheduleBody.withNext(made, DEFAULT_NEXT));
      }
      case Made.Taken(String taken) ->
          throw ProblemException.of(
              ErrorCode.ID_TAKEN, "schedule %s exists; take another id".formatted(taken));
      case Made.NoTenant(String missing) -> throw Call.notFound("tenant", missing);
      case Made.Full(String full) ->
          throw ProblemException.bound(
              ErrorCode.SCHEDULES_FULL,
              "tenant %s has %,d schedules, which is the most; delete some"
                  .formatted(full, Schedules.MOST_OF_TENANT),
              new Bound("schedules of a tenant", Schedules.MOST_OF_TENANT, -1, "schedules"));
    };
  }

  private static Template template(Fields fields, Posted event) {
    String key = event.idempotencyKey();
    if (key != null) {
      throw ProblemException.field(
          "event.idempotency_key", key, "nothing: each instant has a key of its own");
    }
    if (event.body().length > MOST_PAYLOAD_BYTES) {
      throw ProblemException.bound(
          ErrorCode.BODY_TOO_LARGE,
          "event.payload has %,d bytes; a schedule's has at most %,d"
              .formatted(event.body().length, MOST_PAYLOAD_BYTES),
          new Bound("payload of a schedule", MOST_PAYLOAD_BYTES, event.body().length, "bytes"));
    }
    List<String> items = ScheduleRequest.items(fields, event.item());
    long bytes = (long) items.size() * event.body().length;
    if (bytes > FiringPlan.MOST_BYTES) {
      throw ProblemException.bound(
          ErrorCode.BODY_TOO_LARGE,
          "%,d items with a payload of %,d bytes each make %,d; an instant sends at most %,d"
              .formatted(items.size(), event.body().length, bytes, FiringPlan.MOST_BYTES),
          new Bound("payloads of an instant", FiringPlan.MOST_BYTES, bytes, "bytes"));
    }
    return new Template(
        event.type(),
        event.contentType(),
        event.headers(),
        event.body(),
        event.urgency(),
        event.destinations(),
        items,
        ScheduleRequest.over(fields, items));
  }

  private Answer list(Call call) {
    String after = Cursors.id(call).orElse(null);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> Answer.ok(PageBody.none());
      case TenantChoice.Of(Set<String> tenants) -> {
        List<Schedule> found = schedules.list(tenants, after, limit + 1);
        boolean more = found.size() > limit;
        List<Schedule> items = more ? found.subList(0, limit) : found;
        yield Answer.ok(
            PageBody.of(items, ScheduleBody::of, Cursors.of(more ? items.getLast().id() : null)));
      }
    };
  }

  private Answer show(Call call) {
    int next = call.queryWhole("next", 0, MOST_NEXT).orElse(DEFAULT_NEXT);
    return Answer.ok(ScheduleBody.withNext(find(call), next));
  }

  private Schedule find(Call call) {
    String id = call.pathId("schedule");
    return schedules
        .find(id)
        .filter(schedule -> call.caller().sees(schedule.tenantId()))
        .orElseThrow(() -> Call.notFound("schedule", id));
  }

  private Answer firings(Call call) {
    String id = find(call).id();
    Instant before = Cursors.place(call, 'f', Instant::parse).orElse(null);
    int limit = call.limit();
    List<Firing> found = schedules.firings(id, before, limit + 1);
    boolean more = found.size() > limit;
    List<Firing> items = more ? found.subList(0, limit) : found;
    return Answer.ok(
        PageBody.of(
            items,
            ScheduleBody.FiringBody::of,
            more ? Cursors.ofPlace('f', items.getLast().at().toString()) : null));
  }

  private static String reason(Call call) {
    return call.fields()
        .only(Set.of("reason"))
        .requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
  }

  private Answer command(Call call, Command command) {
    String reason = reason(call);
    Schedule before = find(call);
    return switch (schedules.command(before.id(), command, call.audit(reason))) {
      case Commanded.Done(Schedule after) -> {
        wake.run();
        yield Answer.ok(ScheduleBody.withNext(after, DEFAULT_NEXT));
      }
      case Commanded.Already(Schedule now) ->
          throw ProblemException.of(
              ErrorCode.WRONG_STATE,
              "%s: schedule %s is %s already"
                  .formatted(
                      ScheduleRequest.word(command), now.id(), now.paused() ? "paused" : "active"));
      case Commanded.NotFound(String id) -> throw Call.notFound("schedule", id);
    };
  }

  /** What was deleted. */
  record DeletedBody(String deleted) {}

  private Answer delete(Call call) {
    String reason = reason(call);
    String id = find(call).id();
    if (!schedules.delete(id, call.audit(reason))) {
      throw Call.notFound("schedule", id);
    }
    return Answer.ok(new DeletedBody(id));
  }
}
