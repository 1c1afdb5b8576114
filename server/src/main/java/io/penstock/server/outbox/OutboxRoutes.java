package io.penstock.server.outbox;

import io.penstock.engine.outbox.Outbox;
import io.penstock.postgres.outbox.RefusedRow;
import io.penstock.postgres.outbox.RefusedRows;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows the outbox, and sends refused rows in again. Safe for use by many threads. */
public final class OutboxRoutes {
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);
  private static final int MOST_REASON_CHARS = 500;

  private final Supplier<Outbox.Depth> depth;
  private final RefusedRows rows;

  public OutboxRoutes(Supplier<Outbox.Depth> depth, RefusedRows rows) {
    this.depth = depth;
    this.rows = rows;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/outbox", OPERATE, Set.of(), this::show),
        Route.get("/v1/outbox/refused", OPERATE, Set.of("tenant", "cursor", "limit"), this::list),
        Route.post("/v1/outbox/refused/{number}/retry", OPERATE, this::retry));
  }

  /**
   * What lies there.
   *
   * @param atLeast whether more wait than were counted
   */
  record OutboxBody(long waiting, boolean atLeast, @Nullable Instant oldest, long refused) {}

  /** A refused row. */
  record RefusedBody(
      long number,
      Instant enqueuedAt,
      Instant refusedAt,
      String tenantId,
      String type,
      int size,
      @Nullable String idempotencyKey,
      List<String> destinations,
      String reason,
      String detail) {
    static RefusedBody of(RefusedRow row) {
      return new RefusedBody(
          row.number(),
          row.enqueuedAt(),
          row.refusedAt(),
          row.tenantId(),
          row.type(),
          row.size(),
          row.idempotencyKey(),
          row.destinationIds(),
          row.reason(),
          row.detail());
    }
  }

  /** A row that was sent in again. */
  record RetriedBody(long number) {}

  private Answer show(Call call) {
    call.caller().mustSeeEverything();
    Outbox.Depth now = depth.get();
    return Answer.ok(new OutboxBody(now.rows(), now.capped(), now.oldest(), now.refused()));
  }

  private Answer list(Call call) {
    Long before = Cursors.number(call).orElse(null);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> Answer.ok(PageBody.none());
      case TenantChoice.Of(Set<String> tenantIds) ->
          Answer.ok(page(rows.page(tenantIds, before, limit), limit));
    };
  }

  private static PageBody<RefusedBody> page(List<RefusedRow> found, int limit) {
    List<RefusedRow> items = found.subList(0, Math.min(limit, found.size()));
    Long next = found.size() > limit ? items.getLast().number() : null;
    return PageBody.of(items, RefusedBody::of, Cursors.of(next));
  }

  private Answer retry(Call call) {
    long number = call.pathNumber("number");
    String reason =
        call.fields()
            .only(Set.of("reason"))
            .requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
    if (!rows.again(number, call.caller().tenants(), call.audit(reason))) {
      throw Call.notFound("refused row of the outbox", Long.toString(number));
    }
    return Answer.ok(new RetriedBody(number));
  }
}
