package io.penstock.server.redrive;

import io.penstock.engine.limits.Limits;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveOutcome;
import io.penstock.engine.redrive.RedrivePlan;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives;
import io.penstock.engine.redrive.Redrives.Command;
import io.penstock.engine.redrive.Redrives.Commanded;
import io.penstock.engine.redrive.Redrives.Started;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DestinationView;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Plans, starts, shows and steers redrives. Safe for use by many threads. */
public final class RedriveRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final Set<Scope> REPLAY = EnumSet.of(Scope.OPERATOR, Scope.TENANT_REPLAY);
  private static final String ONE = "/v1/redrives/{redrive}";
  private static final int MOST_REASON_CHARS = 500;

  /** Destinations that one request may cover; more are named one by one. */
  private static final int MOST_DESTINATIONS = 250;

  /** How long a plan counts, over all of its destinations. */
  private static final Duration PLAN_TIME = Duration.ofSeconds(4);

  private final Redrives redrives;
  private final ConfigurationReads configuration;
  private final Function<String, RedriveSettings> defaults;
  private final Limits limits;
  private final RandomGenerator random;
  private final Runnable wake;

  /**
   * @param defaults what a destination's redrives do when the request does not say
   * @param wake makes this node's runner look; must not block
   */
  public RedriveRoutes(
      Redrives redrives,
      ConfigurationReads configuration,
      Function<String, RedriveSettings> defaults,
      Limits limits,
      RandomGenerator random,
      Runnable wake) {
    this.redrives = redrives;
    this.configuration = configuration;
    this.defaults = defaults;
    this.limits = limits;
    this.random = random;
    this.wake = wake;
  }

  public List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    routes.add(Route.post("/v1/redrives/plan", REPLAY, this::plan));
    routes.add(Route.post("/v1/redrives", REPLAY, this::start));
    routes.add(
        Route.get(
            "/v1/redrives",
            READ,
            Set.of("tenant", "destination", "active", "cursor", "limit"),
            this::list));
    routes.add(Route.get(ONE, READ, Set.of(), this::show));
    routes.add(
        Route.get(ONE + "/events", READ, Set.of("outcome", "cursor", "limit"), this::events));
    for (Command command : Command.values()) {
      routes.add(
          Route.post(
              ONE + "/" + command.name().toLowerCase(Locale.ROOT),
              REPLAY,
              call -> command(call, command)));
    }
    return routes;
  }

  /** What was asked, one plan for each destination. */
  record PlansBody(List<PlanBody> items) {}

  private Answer plan(Call call) {
    RedriveRequest request = RedriveRequest.read(call.fields(), false);
    List<DestinationView> targets = targets(call, request);
    Duration each = PLAN_TIME.dividedBy(Math.max(1, targets.size()));
    List<PlanBody> plans = new ArrayList<>();
    for (DestinationView target : targets) {
      String id = target.destination().id();
      RedrivePlan plan = redrives.plan(request.filter(id), each);
      if (plan.matched() > 0 || request.destinationId() != null) {
        plans.add(
            PlanBody.of(
                id,
                target.destination().tenantId(),
                plan,
                request.settings(defaults.apply(id)),
                limits.of(id).budget().ratePerSecond()));
      }
    }
    return Answer.ok(new PlansBody(plans));
  }

  /** A destination that has none to start. */
  record NotStarted(String destinationId, String redriveId, String why) {}

  record StartedBody(List<RedriveBody> items, List<NotStarted> notStarted) {}

  private Answer start(Call call) {
    RedriveRequest request = RedriveRequest.read(call.fields(), true);
    List<RedriveBody> started = new ArrayList<>();
    List<NotStarted> not = new ArrayList<>();
    for (DestinationView target : targets(call, request)) {
      String id = target.destination().id();
      RedriveFilter filter = request.filter(id);
      boolean one = request.destinationId() != null;
      if (one || !hasNothing(filter)) {
        startOne(call, request, filter, one, started, not);
      }
    }
    wake.run();
    return Answer.json(201, new StartedBody(started, not));
  }

  /** Whether the destination's shelf is empty: a plan without time still sees that. */
  private boolean hasNothing(RedriveFilter filter) {
    return redrives.plan(filter, Duration.ZERO).exact();
  }

  private void startOne(
      Call call,
      RedriveRequest request,
      RedriveFilter filter,
      boolean one,
      List<RedriveBody> started,
      List<NotStarted> not) {
    String destination = filter.destinationId();
    String id = "rdr_" + HexFormat.of().toHexDigits(random.nextLong());
    switch (redrives.start(
        id, filter, request.settings(defaults.apply(destination)), call.audit(request.reason()))) {
      case Started.Active(RedriveTask task) -> started.add(RedriveBody.of(task));
      case Started.Busy(RedriveTask active) -> {
        String why =
            "destination %s has redrive %s, which is %s; wait for it or cancel it"
                .formatted(destination, active.key().id(), active.progress().state().word());
        if (one) {
          throw ProblemException.of(ErrorCode.REDRIVE_ACTIVE, why);
        }
        not.add(new NotStarted(destination, active.key().id(), why));
      }
      case Started.NoDestination(String gone) -> {
        if (one) {
          throw Call.notFound("destination", gone);
        }
      }
    }
  }

  private List<DestinationView> targets(Call call, RedriveRequest request) {
    String tenant = request.tenantId();
    String one = request.destinationId();
    if (one != null) {
      DestinationView view =
          configuration
              .destination(one)
              .filter(found -> call.caller().sees(found.destination().tenantId()))
              .filter(found -> tenant == null || found.destination().tenantId().equals(tenant))
              .orElseThrow(() -> Call.notFound("destination", one));
      return List.of(view);
    }
    if (tenant == null || !call.caller().sees(tenant) || configuration.tenant(tenant).isEmpty()) {
      throw Call.notFound("tenant", String.valueOf(tenant));
    }
    var page = configuration.destinations(Set.of(tenant), null, MOST_DESTINATIONS);
    if (page.hasMore()) {
      throw ProblemException.field(
          "tenant",
          "one with more than %d destinations".formatted(MOST_DESTINATIONS),
          "a tenant with at most %d, or one destination at a time".formatted(MOST_DESTINATIONS));
    }
    return page.items();
  }

  private Answer list(Call call) {
    var destination = call.queryId("destination");
    Boolean active = call.query("active").map(RedriveRoutes::truth).orElse(null);
    Redrives.Before before = before(call);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> Answer.ok(PageBody.none());
      case TenantChoice.Of(Set<String> tenants) -> {
        List<RedriveTask> found =
            redrives.list(
                new Redrives.Listing(tenants, destination.orElse(null), active, before, limit + 1));
        boolean more = found.size() > limit;
        List<RedriveTask> items = more ? found.subList(0, limit) : found;
        yield Answer.ok(
            PageBody.of(
                items,
                RedriveBody::of,
                more
                    ? Cursors.ofPlace(
                        'r', items.getLast().startedAt() + "/" + items.getLast().key().id())
                    : null));
      }
    };
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw ProblemException.parameter("active", text, "true or false");
    };
  }

  private static Redrives.@Nullable Before before(Call call) {
    return Cursors.place(
            call,
            'r',
            place -> {
              String[] parts = place.split("/", 2);
              return new Redrives.Before(Instant.parse(parts[0]), parts[1]);
            })
        .orElse(null);
  }

  private Answer show(Call call) {
    return Answer.ok(RedriveBody.of(find(call)));
  }

  private RedriveTask find(Call call) {
    String id = call.pathId("redrive");
    return redrives
        .find(id)
        .filter(task -> call.caller().sees(task.tenantId()))
        .orElseThrow(() -> Call.notFound("redrive", id));
  }

  /**
   * One message of a redrive.
   *
   * @param outcome waiting, retrying, delivered, dead, cancelled, lost or skipped
   * @param detail why it was skipped or died again
   */
  record EventBody(
      UUID eventId,
      long deadLetterNo,
      long leaseNo,
      String outcome,
      @Nullable String detail,
      Instant at,
      @Nullable Instant endedAt) {
    static EventBody of(Redrives.Event event) {
      return new EventBody(
          event.key().eventId(),
          event.deadLetterNo(),
          event.leaseNo(),
          event.outcome().word(),
          event.detail().isEmpty() ? null : event.detail(),
          event.at(),
          event.endedAt());
    }
  }

  private Answer events(Call call) {
    RedriveTask task = find(call);
    RedriveOutcome outcome = call.query("outcome").map(RedriveRoutes::outcome).orElse(null);
    long after = Cursors.place(call, 'e', Long::parseLong).orElse(0L);
    int limit = call.limit();
    List<Redrives.Event> found = redrives.events(task.key(), outcome, after, limit + 1);
    boolean more = found.size() > limit;
    List<Redrives.Event> items = more ? found.subList(0, limit) : found;
    return Answer.ok(
        PageBody.of(
            items,
            EventBody::of,
            more ? Cursors.ofPlace('e', Long.toString(items.getLast().deadLetterNo())) : null));
  }

  private static RedriveOutcome outcome(String word) {
    return Arrays.stream(RedriveOutcome.values())
        .filter(outcome -> outcome.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            ProblemException.parameter(
                "outcome",
                word,
                "one of "
                    + String.join(
                        ", ",
                        Arrays.stream(RedriveOutcome.values())
                            .map(RedriveOutcome::word)
                            .toList())));
  }

  private Answer command(Call call, Command command) {
    String reason =
        call.fields()
            .only(Set.of("reason"))
            .requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
    RedriveTask task = find(call);
    return switch (redrives.command(task.key().id(), command, call.audit(reason))) {
      case Commanded.Done(RedriveTask after) -> {
        wake.run();
        yield Answer.ok(RedriveBody.of(after));
      }
      case Commanded.WrongState(RedriveTask now) ->
          throw ProblemException.of(
              ErrorCode.WRONG_STATE,
              "%s: redrive %s is %s; %s"
                  .formatted(
                      command.name().toLowerCase(Locale.ROOT),
                      now.key().id(),
                      now.progress().state().word(),
                      now.progress().state().active()
                          ? "it is so already"
                          : "it has ended, start another one"));
      case Commanded.NotFound(String id) -> throw Call.notFound("redrive", id);
    };
  }
}
