package io.penstock.server.destination;

import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.BehindView;
import io.penstock.postgres.read.CauseView;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DestinationView;
import io.penstock.postgres.read.GateReads;
import io.penstock.postgres.read.GateView;
import io.penstock.postgres.read.TenantView;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Closes and opens the gates of a destination, a tenant, or everything. Safe for use by many
 * threads.
 */
public final class GateRoutes {
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);
  private static final int MOST_REASON_CHARS = 500;

  private final Ledger ledger;
  private final ConfigurationReads reads;
  private final GateReads gates;
  private final Limits limits;
  private final BudgetRules budgets;
  private final Runnable changed;

  /**
   * @param changed hears of every change, to tell the nodes; must not block
   */
  public GateRoutes(
      Ledger ledger,
      ConfigurationReads reads,
      GateReads gates,
      Limits limits,
      BudgetRules budgets,
      Runnable changed) {
    this.ledger = ledger;
    this.reads = reads;
    this.gates = gates;
    this.limits = limits;
    this.budgets = budgets;
    this.changed = changed;
  }

  public List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    for (GateAction action : GateAction.values()) {
      String word = word(action);
      routes.add(
          Route.post(
              "/v1/destinations/{destination}/" + word,
              OPERATE,
              call -> ofDestination(call, action)));
      routes.add(
          Route.post("/v1/tenants/{tenant}/" + word, OPERATE, call -> ofTenant(call, action)));
      routes.add(Route.post("/v1/everything/" + word, OPERATE, call -> ofEverything(call, action)));
    }
    routes.add(Route.get("/v1/everything", OPERATE, Set.of(), this::everything));
    return routes;
  }

  /**
   * What a change of a gate did.
   *
   * @param scope whose gate, as the path says
   * @param changed false when it stood so already
   * @param state of the destination; of a tenant or everything what its own gate says
   * @param waiting deliveries behind it, counted up to 10,000 and for about half a second
   * @param exact false when there may be more than were counted
   * @param oldest since when the oldest of them waits
   */
  record ChangeBody(
      String scope,
      @Nullable String tenantId,
      @Nullable String destinationId,
      String action,
      boolean changed,
      String state,
      long waiting,
      boolean exact,
      @Nullable Instant oldest) {}

  private Answer ofDestination(Call call, GateAction action) {
    String id = call.pathId("destination");
    String reason = reason(call);
    DestinationView before = find(call, id);
    GateScope scope = new GateScope.OfDestination(id);
    GateChange change = change(call, scope, action, reason);
    DestinationView now = find(call, id);
    String state = DestinationState.of(now.inForce(), now.budget(), limits.of(id).budget()).word();
    return answer(scope, before.destination().tenantId(), id, action, change, state);
  }

  private Answer ofTenant(Call call, GateAction action) {
    String id = call.pathId("tenant");
    String reason = reason(call);
    if (!call.caller().sees(id) || reads.tenant(id).isEmpty()) {
      throw Call.notFound("tenant", id);
    }
    GateScope scope = new GateScope.OfTenant(id);
    GateChange change = change(call, scope, action, reason);
    GateView gate = reads.tenant(id).map(TenantView::gate).orElseThrow();
    return answer(scope, id, null, action, change, state(gate));
  }

  private Answer ofEverything(Call call, GateAction action) {
    String reason = reason(call);
    call.caller().mustSeeEverything();
    GateScope scope = new GateScope.Everything();
    GateChange change = change(call, scope, action, reason);
    return answer(scope, null, null, action, change, state(gates.everything()));
  }

  private GateChange change(Call call, GateScope scope, GateAction action, String reason) {
    GateChange change = ledger.changeGate(scope, action, call.audit(reason), budgets.reopened());
    changed.run();
    return change;
  }

  /** Counts after the change, outside its transaction: nobody waits for a count. */
  private Answer answer(
      GateScope scope,
      @Nullable String tenantId,
      @Nullable String destinationId,
      GateAction action,
      GateChange change,
      String state) {
    BehindView behind = gates.behind(scope);
    return Answer.ok(
        new ChangeBody(
            destinationId != null ? "destination" : tenantId != null ? "tenant" : "everything",
            tenantId,
            destinationId,
            word(action),
            change.changed(),
            state,
            behind.waiting(),
            behind.exact(),
            behind.oldest()));
  }

  /** The gate of everything, and who closed it. */
  record EverythingBody(
      String state, boolean disabled, boolean paused, boolean held, List<CauseBody> causes) {}

  /** Who closed what, when and why. */
  record CauseBody(String closed, Instant at, String by, String reason) {}

  private Answer everything(Call call) {
    call.caller().mustSeeEverything();
    GateView gate = gates.everything();
    List<CauseBody> causes = gates.causesOfEverything().stream().map(GateRoutes::cause).toList();
    return Answer.ok(
        new EverythingBody(state(gate), gate.disabled(), gate.paused(), gate.held(), causes));
  }

  private static CauseBody cause(CauseView cause) {
    String closed = cause.closed().name().toLowerCase(Locale.ROOT);
    return new CauseBody(closed, cause.at(), cause.actor(), cause.reason());
  }

  /** What a tenant's gate or that of everything says, in the order of the states. */
  private static String state(GateView gate) {
    if (gate.disabled()) {
      return "disabled";
    }
    if (gate.paused()) {
      return "paused";
    }
    return gate.held() ? "held" : "open";
  }

  /** A gate is closed or opened for a reason, which the audit keeps. */
  private static String reason(Call call) {
    return call.fields()
        .only(Set.of("reason"))
        .requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
  }

  private static String word(GateAction action) {
    return action.name().toLowerCase(Locale.ROOT);
  }

  private DestinationView find(Call call, String id) {
    return reads
        .destination(id)
        .filter(view -> call.caller().sees(view.destination().tenantId()))
        .orElseThrow(() -> Call.notFound("destination", id));
  }
}
