package io.penstock.server.why;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.depth.Depths;
import io.penstock.postgres.read.DeliveryView;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.read.WaitingView;
import io.penstock.postgres.read.WhyReads;
import io.penstock.postgres.worker.WorkerStore;
import io.penstock.server.auth.Scope;
import io.penstock.server.destination.DestinationState;
import io.penstock.server.destination.WaitingBody;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers why a destination or one delivery waits. Safe for use by many threads. */
public final class WhyRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);

  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);

  /** A worker that serves a tube asks for it much more often than this. */
  private static final Duration ASKED_WITHIN = Duration.ofMinutes(1);

  private final WhyReads reads;
  private final Limits limits;
  private final Supplier<NodeLoad> load;
  private final Supplier<Depths> depths;
  private final TubeReads tubes;
  private final WorkerStore workers;

  /**
   * @param load of this node, now
   * @param depths what waited when this node last counted
   */
  public WhyRoutes(
      WhyReads reads,
      Limits limits,
      Supplier<NodeLoad> load,
      Supplier<Depths> depths,
      TubeReads tubes,
      WorkerStore workers) {
    this.reads = reads;
    this.limits = limits;
    this.load = load;
    this.depths = depths;
    this.tubes = tubes;
    this.workers = workers;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/destinations/{destination}/why", READ, Set.of(), this::destination),
        Route.get("/v1/deliveries/{destination}/{event}/why", READ, Set.of(), this::delivery));
  }

  /**
   * Why it waits.
   *
   * @param code the stable word
   * @param numbers what belongs to it
   * @param until when what holds it now ends; null = somebody must act, or nothing waits
   * @param estimate when it is expected to go; null = nobody can say, or nothing waits
   * @param ahead how many go before the delivery, counted up to a bound; null for a destination
   * @param waiting for a destination; null until this node has counted for the first time
   */
  record WhyBody(
      String destinationId,
      @Nullable String eventId,
      String state,
      String code,
      String sentence,
      Map<String, Object> numbers,
      @Nullable Instant until,
      @Nullable Long waitMs,
      Estimate.@Nullable Body estimate,
      @Nullable Integer ahead,
      double ratePerSecond,
      double ceilingPerSecond,
      int inFlight,
      @Nullable WaitingBody waiting,
      List<HeadBody> heads,
      Instant asOf) {}

  /** The first in line of one lane and urgency. */
  record HeadBody(
      String lane,
      String urgency,
      Instant notBefore,
      long waitedMs,
      Estimate.@Nullable Body estimate) {}

  private Answer destination(Call call) {
    String id = call.pathId("destination");
    return answer(
        call, reads.destination(id).orElseThrow(() -> Call.notFound("destination", id)), id);
  }

  private Answer delivery(Call call) {
    String id = call.pathId("destination");
    var event = call.pathUuid("event");
    String name = id + "/" + event;
    return answer(
        call, reads.delivery(id, event).orElseThrow(() -> Call.notFound("delivery", name)), name);
  }

  private Answer answer(Call call, WaitingView view, String name) {
    var destination = view.destination().destination();
    if (!call.caller().sees(destination.tenantId())) {
      throw Call.notFound(view.delivery() == null ? "destination" : "delivery", name);
    }
    BudgetSettings settings = Line.settings(destination, limits);
    Why.Answer answer =
        Why.of(
            view,
            settings,
            new Why.Asked(load.get(), call.caller().hasAny(OPERATE), workersOf(view)));
    return Answer.ok(body(view, settings, answer));
  }

  private TubeWhy.Workers workersOf(WaitingView view) {
    var destination = view.destination().destination();
    if (destination.mode() == Destination.Mode.PUSH) {
      return TubeWhy.Workers.NONE;
    }
    var asked = workers.asked(destination.id(), ASKED_WITHIN);
    return new TubeWhy.Workers(
        asked.map(WorkerStore.Asked::workers).orElse(0),
        asked.map(WorkerStore.Asked::last).orElse(null),
        view.delivery() == null ? null : tubes.running(view.delivery().key()).orElse(null));
  }

  private WhyBody body(WaitingView view, BudgetSettings settings, Why.Answer answer) {
    var budget = view.destination().budget();
    DeliveryView delivery = view.delivery();
    Why why = answer.why();
    Line line = answer.line();
    return new WhyBody(
        view.destination().destination().id(),
        delivery == null ? null : delivery.key().eventId().toString(),
        DestinationState.of(view.destination().inForce(), budget, settings).word(),
        why.code(),
        why.sentence(),
        why.numbers(),
        why.until(),
        why.until() == null
            ? null
            : Math.max(0, Duration.between(view.now(), why.until()).toMillis()),
        why.estimate() == null ? null : why.estimate().body(view.now()),
        delivery == null ? null : view.ahead().stream().mapToInt(WaitingView.Ahead::count).sum(),
        budget.ratePerSecond(settings),
        settings.ratePerSecond(),
        budget.inFlight(),
        delivery == null
            ? WaitingBody.of(depths.get(), view.destination().destination().id())
            : null,
        heads(view, delivery == null ? line : null),
        view.now());
  }

  private static List<HeadBody> heads(WaitingView view, @Nullable Line line) {
    List<HeadBody> heads = new ArrayList<>();
    for (int i = 0; i < view.heads().size(); i++) {
      Estimate estimate = line == null ? null : Estimate.of(line.each().get(i));
      heads.add(head(view.heads().get(i), estimate, view.now()));
    }
    return heads;
  }

  private static HeadBody head(WaitingView.Head head, @Nullable Estimate estimate, Instant now) {
    return new HeadBody(
        head.lane().name().toLowerCase(Locale.ROOT),
        head.urgency().name().toLowerCase(Locale.ROOT),
        head.notBefore(),
        Math.max(0, head.waited(now).toMillis()),
        estimate == null ? null : estimate.body(now));
  }
}
