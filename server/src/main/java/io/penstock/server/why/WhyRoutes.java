package io.penstock.server.why;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.WaitingView;
import io.penstock.postgres.read.WhyReads;
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

  private final WhyReads reads;
  private final Limits limits;

  public WhyRoutes(WhyReads reads, Limits limits) {
    this.reads = reads;
    this.limits = limits;
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
    BudgetSettings settings = limits.of(destination.id()).budget();
    Why why = Why.of(view, settings);
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

  private static HeadBody head(WaitingView.Head head, Instant now) {
    return new HeadBody(
        head.lane().name().toLowerCase(Locale.ROOT),
        head.urgency().name().toLowerCase(Locale.ROOT),
        head.notBefore(),
        head.waited(now).toMillis());
  }
}
