package io.penstock.server.tube;

import io.penstock.budget.work.Suggestion;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows supply and demand of pools, and what tubes should have. Safe for use by many threads. */
public final class SupplyRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);

  private final Supply supply;

  public SupplyRoutes(Supply supply) {
    this.supply = supply;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/pools", OPERATE, Set.of(), this::pools),
        Route.get(
            "/v1/tube-suggestions", READ, Set.of("tenant", "cursor", "limit"), this::suggestions),
        Route.get("/v1/tubes/{destination}/suggestion", READ, Set.of(), this::suggestion));
  }

  /** All pools, in the order of their names. */
  record PoolsBody(List<PoolBody> items) {}

  private Answer pools(Call call) {
    if (!call.caller().tenants().isEmpty()) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "pools serve many tenants: a key that is bound to tenants may not see them");
    }
    return Answer.ok(new PoolsBody(supply.pools().stream().map(PoolBody::of).toList()));
  }

  /**
   * What a tube should have.
   *
   * @param allotment as it is; null = unmetered
   * @param capacitySeconds as it is; null = unmetered
   * @param proposed null = too little is known
   * @param notYet why nothing is proposed; null = something is
   */
  record SuggestionBody(
      String tube,
      String tenantId,
      @Nullable Double allotment,
      @Nullable Double capacitySeconds,
      @Nullable ProposedBody proposed,
      @Nullable String notYet) {}

  /** A proposal, each part with its reason. */
  record ProposedBody(
      double allotment, String allotmentReason, double capacitySeconds, String capacityReason) {}

  private Answer suggestions(Call call) {
    var cursor = Cursors.id(call);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> Answer.ok(PageBody.none());
      case TenantChoice.Of(Set<String> tenantIds) -> {
        var page = supply.page(tenantIds, cursor.orElse(null), limit);
        yield Answer.ok(
            PageBody.of(page.items(), SupplyRoutes::suggestion, Cursors.of(page.next())));
      }
    };
  }

  private Answer suggestion(Call call) {
    String id = call.pathId("destination");
    return Answer.ok(
        supply
            .tube(id)
            .filter(tube -> call.caller().sees(tube.view().destination().destination().tenantId()))
            .map(SupplyRoutes::suggestion)
            .orElseThrow(() -> Call.notFound("tube", id)));
  }

  private static SuggestionBody suggestion(Supply.Tube tube) {
    var work = tube.work();
    Suggestion suggestion = Suggestion.of(tube.measured());
    return new SuggestionBody(
        tube.id(),
        tube.view().destination().destination().tenantId(),
        work == null ? null : work.allotment(),
        work == null ? null : work.capacity().toMillis() / 1_000.0,
        switch (suggestion) {
          case Suggestion.Proposed p ->
              new ProposedBody(
                  p.allotment(),
                  p.allotmentReason(),
                  p.capacity().toMillis() / 1_000.0,
                  p.capacityReason());
          case Suggestion.TooLittleKnown _ -> null;
        },
        suggestion instanceof Suggestion.TooLittleKnown(String why) ? why : null);
  }
}
