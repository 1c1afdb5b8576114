package io.penstock.server.event;

import io.penstock.engine.intake.Intake;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.postgres.read.EventReads;
import io.penstock.postgres.read.EventView;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes events in, and shows them. Safe for use by many threads. */
public final class EventRoutes {
  private static final Set<Scope> PRODUCE = EnumSet.of(Scope.PRODUCER);
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);

  /** A batch of which some items were refused; each item tells. */
  private static final int MULTI_STATUS = 207;

  private final Intake intake;
  private final EventReads reads;
  private final Bounds bounds;
  private final EventReader reader;
  private final Consumer<List<Acceptance>> counter;

  /**
   * @param counter hears of every answer; must not block
   */
  public EventRoutes(
      Intake intake, EventReads reads, Bounds bounds, Consumer<List<Acceptance>> counter) {
    this.counter = counter;
    this.intake = intake;
    this.reads = reads;
    this.bounds = bounds;
    this.reader = new EventReader(bounds);
  }

  public List<Route> routes() {
    return List.of(
        new Route("POST", "/v1/events", PRODUCE, Set.of(), bounds.requestBytes(), this::post),
        new Route("POST", "/v1/events/batch", PRODUCE, Set.of(), bounds.batchBytes(), this::batch),
        Route.get("/v1/events/{event}", READ, Set.of(), this::show),
        Route.get("/v1/events/{event}/payload", READ, Set.of(), this::payload));
  }

  private Answer post(Call call) {
    Posted posted =
        IdempotencyHeader.read(call.header(IdempotencyHeader.NAME), reader.one(call.body()));
    Acceptance acceptance = accept(call, List.of(posted), null).getFirst();
    return switch (Accepted.item(posted, acceptance)) {
      case Accepted.Item.Taken(Accepted.Body body, boolean replayed) -> {
        Answer answer = Answer.json(Accepted.ACCEPTED, body);
        yield replayed ? answer.with("Idempotent-Replayed", "true") : answer;
      }
      case Accepted.Item.Refused(ProblemException why) -> throw why;
    };
  }

  private Answer batch(Call call) {
    if (call.header(IdempotencyHeader.NAME).isPresent()) {
      throw ProblemException.parameter(
          IdempotencyHeader.NAME, "one for the whole batch", "an idempotency_key in each event");
    }
    EventReader.Batch batch = reader.batch(call.body());
    List<Posted> posted = batch.events();
    List<Acceptance> acceptances = accept(call, posted, batch.over());
    List<Accepted.Item> items = new ArrayList<>(posted.size());
    for (int i = 0; i < posted.size(); i++) {
      items.add(Accepted.item(posted.get(i), acceptances.get(i)));
    }
    boolean allTaken = items.stream().allMatch(Accepted.Item.Taken.class::isInstance);
    return Answer.json(allTaken ? Accepted.ACCEPTED : MULTI_STATUS, Accepted.batch(items));
  }

  private List<Acceptance> accept(Call call, List<Posted> posted, @Nullable Duration over) {
    List<NewEvent> events = new ArrayList<>(posted.size());
    TraceContext trace = TraceContext.of(call);
    for (Posted one : posted) {
      events.add(
          new NewEvent(
              intake.newEventId(),
              tenant(call, one),
              one.type(),
              one.contentType(),
              trace.addTo(one.headers()),
              one.body(),
              one.urgency(),
              one.idempotencyKey(),
              one.destinations(),
              one.item(),
              one.fresh(),
              over));
    }
    List<Acceptance> acceptances = intake.accept(events);
    counter.accept(acceptances);
    return acceptances;
  }

  /** Whose event it is: the tenant that it names, or the only one of the key. */
  public static String tenant(Call call, Posted posted) {
    Set<String> bound = call.caller().tenants();
    if (posted.tenant() == null) {
      if (bound.size() != 1) {
        throw ProblemException.field(
            posted.at() + "tenant",
            "nothing",
            "the tenant's id, because this key is not bound to exactly one");
      }
      return bound.iterator().next();
    }
    if (!call.caller().sees(posted.tenant())) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "%stenant: this key is not bound to %s".formatted(posted.at(), posted.tenant()));
    }
    return posted.tenant();
  }

  private Answer show(Call call) {
    return Answer.ok(EventBody.of(find(call, false)));
  }

  private Answer payload(Call call) {
    EventView event = find(call, true);
    byte[] body = event.content().body();
    if (body == null) {
      throw Call.notFound("payload of event", event.eventId().toString());
    }
    // An attachment, so that no browser ever renders a stranger's bytes on our origin.
    return Answer.of(200, event.content().contentType(), body)
        .with("Content-Disposition", "attachment")
        .with("Content-Security-Policy", "sandbox");
  }

  private EventView find(Call call, boolean withBody) {
    var id = call.pathUuid("event");
    return reads
        .find(id, withBody)
        .filter(event -> call.caller().sees(event.tenantId()))
        .orElseThrow(() -> Call.notFound("event", id.toString()));
  }
}
