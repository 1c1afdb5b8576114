package io.penstock.server.why;

import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.NextReads;
import io.penstock.postgres.read.NextView;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers what goes next, of a destination or a tenant. Safe for use by many threads. */
public final class NextRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final Set<String> QUERY = Set.of("limit");

  private final NextReads reads;
  private final ConfigurationReads configuration;
  private final Limits limits;

  public NextRoutes(NextReads reads, ConfigurationReads configuration, Limits limits) {
    this.reads = reads;
    this.configuration = configuration;
    this.limits = limits;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/destinations/{destination}/next", READ, QUERY, this::destination),
        Route.get("/v1/tenants/{tenant}/next", READ, QUERY, this::tenant));
  }

  /**
   * What goes next, in the order in which it is expected to be claimed.
   *
   * @param complete false when there were more destinations than could be looked at in time
   */
  record NextBody(List<ItemBody> items, boolean complete, Instant asOf) {}

  /** One delivery; no estimate = somebody must act. */
  record ItemBody(
      String destinationId,
      String eventId,
      String lane,
      String urgency,
      int attempts,
      Instant notBefore,
      String code,
      Estimate.@Nullable Body estimate) {}

  private Answer destination(Call call) {
    String id = call.pathId("destination");
    int limit = call.limit();
    NextView view =
        reads
            .destination(id, limit)
            .filter(found ->
                call.caller().sees(found.lines().getFirst().destination().destination().tenantId()))
            .orElseThrow(() -> Call.notFound("destination", id));
    return Answer.ok(body(view, limit));
  }

  private Answer tenant(Call call) {
    String id = call.pathId("tenant");
    int limit = call.limit();
    if (!call.caller().sees(id) || configuration.tenant(id).isEmpty()) {
      throw Call.notFound("tenant", id);
    }
    return Answer.ok(body(reads.tenant(id, limit), limit));
  }

  private NextBody body(NextView view, int limit) {
    List<ItemBody> items =
        NextUp.of(view, limits, limit).stream().map(one -> item(one, view.now())).toList();
    return new NextBody(items, view.complete(), view.now());
  }

  private static ItemBody item(NextUp next, Instant now) {
    return new ItemBody(
        next.destinationId(),
        next.place().eventId().toString(),
        next.place().lane().name().toLowerCase(Locale.ROOT),
        next.place().urgency().name().toLowerCase(Locale.ROOT),
        next.place().attempts(),
        next.place().notBefore(),
        next.code(),
        next.estimate() == null ? null : next.estimate().body(now));
  }
}
