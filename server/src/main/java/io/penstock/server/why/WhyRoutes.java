package io.penstock.server.why;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.read.WaitingView;
import io.penstock.postgres.read.WhyReads;
import io.penstock.postgres.worker.WorkerStore;
import io.penstock.server.auth.Scope;
import io.penstock.server.destination.DestinationState;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers why a destination or one delivery waits. Safe for use by many threads. */
public final class WhyRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);

  /** A worker that serves a tube asks for it much more often than this. */
  private static final Duration ASKED_WITHIN = Duration.ofMinutes(1);

  private final WhyReads reads;
  private final Limits limits;
  private final TubeReads tubes;
  private final WorkerStore workers;

  public WhyRoutes(WhyReads reads, Limits limits, TubeReads tubes, WorkerStore workers) {
    this.reads = reads;
    this.limits = limits;
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
   * @param until when it can go at the earliest; null = somebody must act, or nothing waits
   * @param ahead how many go before the delivery, counted up to 10,000; null for a destination
   */
  record WhyBody(
      String destinationId,
      String state,
      String code,
      String sentence,
      @Nullable Instant until,
      @Nullable Long waitMs,
      @Nullable Long ahead,
      double ratePerSecond,
      double ceilingPerSecond,
      int inFlight,
      List<HeadBody> heads,
      Instant asOf) {}

  /** The first in line of one lane and urgency. */
  record HeadBody(String lane, String urgency, Instant notBefore, long waitedMs) {}

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
    BudgetSettings settings =
        destination.mode() == Destination.Mode.PULL
            ? limits.of(destination.id()).tubeBudget()
            : limits.of(destination.id()).budget();
    Why why = Why.of(view, settings, workersOf(view));
    var budget = view.destination().budget();
    return Answer.ok(
        new WhyBody(
            destination.id(),
            DestinationState.of(view.destination().inForce(), budget, settings).word(),
            why.code(),
            why.sentence(),
            why.until(),
            why.until() == null
                ? null
                : Math.max(0, Duration.between(view.now(), why.until()).toMillis()),
            view.delivery() == null ? null : view.ahead(),
            budget.ratePerSecond(settings),
            settings.ratePerSecond(),
            budget.inFlight(),
            view.heads().stream().map(head -> head(head, view.now())).toList(),
            view.now()));
  }

  private Why.Workers workersOf(WaitingView view) {
    var destination = view.destination().destination();
    if (destination.mode() == Destination.Mode.PUSH) {
      return Why.Workers.NONE;
    }
    var asked = workers.asked(destination.id(), ASKED_WITHIN);
    return new Why.Workers(
        asked.map(WorkerStore.Asked::workers).orElse(0),
        asked.map(WorkerStore.Asked::last).orElse(null),
        view.delivery() == null ? null : tubes.running(view.delivery().key()).orElse(null));
  }

  private static HeadBody head(WaitingView.Head head, Instant now) {
    return new HeadBody(
        head.lane().name().toLowerCase(Locale.ROOT),
        head.urgency().name().toLowerCase(Locale.ROOT),
        head.notBefore(),
        head.waited(now).toMillis());
  }
}
