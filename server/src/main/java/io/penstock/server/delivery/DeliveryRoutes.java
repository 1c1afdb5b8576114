package io.penstock.server.delivery;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Ledger;
import io.penstock.postgres.read.DeliveryDetail;
import io.penstock.postgres.read.DeliveryFilter;
import io.penstock.postgres.read.DeliveryReads;
import io.penstock.postgres.read.ShownState;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Shows deliveries and moves single ones. Safe for use by many threads. */
public final class DeliveryRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final Set<Scope> REPLAY = EnumSet.of(Scope.OPERATOR, Scope.TENANT_REPLAY);
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);
  private static final String ONE = "/v1/deliveries/{destination}/{event}";
  private static final int MOST_REASON_CHARS = 500;

  private final Ledger ledger;
  private final DeliveryReads reads;
  private final BudgetRule freed;
  private final Consumer<DeliveryKey> due;

  /**
   * @param freed gives a budget its slot back when a leased delivery is cancelled
   * @param due hears of deliveries that may go again, to wake the claimer; must not block
   */
  public DeliveryRoutes(
      Ledger ledger, DeliveryReads reads, BudgetRule freed, Consumer<DeliveryKey> due) {
    this.ledger = ledger;
    this.reads = reads;
    this.freed = freed;
    this.due = due;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/deliveries",
            READ,
            Set.of("tenant", "destination", "event", "state", "cursor", "limit"),
            this::list),
        Route.get(ONE, READ, Set.of(), this::show),
        Route.post(ONE + "/redrive", REPLAY, this::redrive),
        Route.post(ONE + "/send-again", REPLAY, this::sendAgain),
        Route.post(ONE + "/cancel", OPERATE, this::cancel));
  }

  private Answer list(Call call) {
    Optional<ShownState> state = call.query("state").map(DeliveryRoutes::state);
    var destination = call.queryId("destination");
    var event = call.queryUuid("event");
    var cursor = Cursors.delivery(call);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> Answer.ok(PageBody.none());
      case TenantChoice.Of(Set<String> tenantIds) -> {
        var filter =
            new DeliveryFilter(
                tenantIds, destination.orElse(null), event.orElse(null), state.orElse(null));
        var page = reads.page(filter, cursor.orElse(null), limit);
        yield Answer.ok(PageBody.of(page.items(), DeliveryBody::of, Cursors.of(page.next())));
      }
    };
  }

  private static ShownState state(String word) {
    return Arrays.stream(ShownState.values())
        .filter(s -> s.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            ProblemException.parameter(
                "state",
                word,
                "one of "
                    + String.join(
                        ", ", Arrays.stream(ShownState.values()).map(ShownState::word).toList())));
  }

  private Answer show(Call call) {
    boolean inside = call.caller().hasAny(OPERATE) && call.caller().tenants().isEmpty();
    return Answer.ok(DeliveryDetailBody.of(find(call), inside));
  }

  private Answer redrive(Call call) {
    return move(call, "dead", ledger::redrive);
  }

  private Answer sendAgain(Call call) {
    return move(call, "delivered", ledger::sendAgain);
  }

  private Answer cancel(Call call) {
    return move(call, "pending, retrying or leased", (key, by) -> ledger.cancel(key, by, freed));
  }

  /** One move of the ledger; false when the delivery was in no state for it. */
  @FunctionalInterface
  private interface LedgerMove {
    boolean make(DeliveryKey key, Audit by);
  }

  private Answer move(Call call, String wanted, LedgerMove move) {
    String reason =
        call.fieldsOrNone().only(Set.of("reason")).prose("reason", MOST_REASON_CHARS).orElse("");
    DeliveryKey key = find(call).delivery().key();
    if (!move.make(key, call.audit(reason))) {
      throw ProblemException.of(
          ErrorCode.WRONG_STATE,
          "wanted a delivery that is %s, got one that is %s"
              .formatted(wanted, find(call).delivery().state().word()));
    }
    due.accept(key);
    return Answer.ok(DeliveryBody.of(find(call).delivery()));
  }

  private DeliveryDetail find(Call call) {
    String destination = call.pathId("destination");
    var event = call.pathUuid("event");
    return reads
        .find(destination, event)
        .filter(detail -> call.caller().sees(detail.delivery().tenantId()))
        .orElseThrow(() -> Call.notFound("delivery", destination + "/" + event));
  }
}
