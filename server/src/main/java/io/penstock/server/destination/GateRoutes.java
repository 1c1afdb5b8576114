package io.penstock.server.destination;

import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DestinationView;
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

/** Closes and opens the gate of a destination. Safe for use by many threads. */
public final class GateRoutes {
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);
  private static final int MOST_REASON_CHARS = 500;

  /** What operators do; {@code hold} is Penstock's own. */
  private static final List<GateAction> ACTIONS =
      List.of(
          GateAction.PAUSE,
          GateAction.RESUME,
          GateAction.RELEASE,
          GateAction.DISABLE,
          GateAction.ENABLE);

  private final Ledger ledger;
  private final ConfigurationReads reads;
  private final Limits limits;
  private final BudgetRules budgets;
  private final Runnable changed;

  /**
   * @param changed hears of every change, to tell the nodes; must not block
   */
  public GateRoutes(
      Ledger ledger,
      ConfigurationReads reads,
      Limits limits,
      BudgetRules budgets,
      Runnable changed) {
    this.ledger = ledger;
    this.reads = reads;
    this.limits = limits;
    this.budgets = budgets;
    this.changed = changed;
  }

  public List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    for (GateAction action : ACTIONS) {
      String word = action.name().toLowerCase(Locale.ROOT);
      routes.add(
          Route.post(
              "/v1/destinations/{destination}/" + word, OPERATE, call -> change(call, action)));
    }
    return routes;
  }

  /**
   * What a change of the gate did.
   *
   * @param changed false when it stood so already
   * @param waiting deliveries behind it, counted up to 10,000
   * @param oldest since when the oldest of them waits
   */
  record GateBody(
      String destinationId,
      String action,
      boolean changed,
      String state,
      long waiting,
      @Nullable Instant oldest) {}

  private Answer change(Call call, GateAction action) {
    String id = call.pathId("destination");
    // A gate is closed or opened for a reason, which the audit keeps.
    String reason =
        call.fields()
            .only(Set.of("reason"))
            .requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
    find(call, id);
    GateChange change =
        ledger.changeGate(
            new GateScope.OfDestination(id), action, call.audit(reason), budgets.reopened());
    changed.run();
    DestinationView now = find(call, id);
    String state = DestinationState.of(now.inForce(), now.budget(), limits.of(id).budget()).word();
    return Answer.ok(
        new GateBody(
            id,
            action.name().toLowerCase(Locale.ROOT),
            change.changed(),
            state,
            change.waiting(),
            change.oldest()));
  }

  private DestinationView find(Call call, String id) {
    return reads
        .destination(id)
        .filter(view -> call.caller().sees(view.destination().tenantId()))
        .orElseThrow(() -> Call.notFound("destination", id));
  }
}
