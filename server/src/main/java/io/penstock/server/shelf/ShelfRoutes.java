package io.penstock.server.shelf;

import io.penstock.postgres.read.DeadLetterDetail;
import io.penstock.postgres.read.DeadLetterView;
import io.penstock.postgres.read.DeliveryReads;
import io.penstock.postgres.read.EventReads;
import io.penstock.postgres.read.GroupCursor;
import io.penstock.postgres.read.GroupReads;
import io.penstock.postgres.read.Page;
import io.penstock.postgres.read.ShelfGroupView;
import io.penstock.postgres.read.ShelfReads;
import io.penstock.server.auth.Caller;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Shows the shelf. Safe for use by many threads. */
public final class ShelfRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);

  private final ShelfReads shelf;
  private final GroupReads groups;
  private final DeliveryReads deliveries;
  private final ShelfLines lines;
  private final Supplier<Instant> now;

  /**
   * @param now the ledger's time, for parameters that say how long ago
   */
  public ShelfRoutes(
      ShelfReads shelf,
      GroupReads groups,
      DeliveryReads deliveries,
      EventReads events,
      Supplier<Instant> now) {
    this.shelf = shelf;
    this.groups = groups;
    this.deliveries = deliveries;
    this.lines = new ShelfLines(events);
    this.now = now;
  }

  public List<Route> routes() {
    Set<String> exported = new HashSet<>(ShelfParameters.NAMES);
    exported.add("payloads");
    return List.of(
        Route.get("/v1/shelf", READ, ShelfParameters.NAMES, this::list),
        Route.get(
            "/v1/shelf/groups",
            READ,
            Set.of("tenant", "destination", "reason", "cursor", "limit"),
            this::groups),
        Route.get("/v1/shelf/export", READ, Set.copyOf(exported), this::export),
        Route.get("/v1/dead-letters/{number}", READ, Set.of(), this::show));
  }

  /** Whether the caller runs the installation, and may see what receivers answer. */
  private static boolean isInside(Caller caller) {
    return caller.hasAny(OPERATE) && caller.tenants().isEmpty();
  }

  private Answer list(Call call) {
    boolean inside = isInside(call.caller());
    Page<DeadLetterView, Long> page = page(call);
    return Answer.ok(
        PageBody.of(
            page.items(), view -> DeadLetterBody.of(view, inside), Cursors.of(page.next())));
  }

  private Page<DeadLetterView, Long> page(Call call) {
    var cursor = Cursors.number(call);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> new Page<>(List.of(), null);
      case TenantChoice.Of(Set<String> tenantIds) ->
          shelf.page(ShelfParameters.filter(call, tenantIds, now), cursor.orElse(null), limit);
    };
  }

  private Answer groups(Call call) {
    var destination = call.queryId("destination");
    var reason = ShelfParameters.reason(call);
    var cursor = Cursors.group(call);
    int limit = call.limit();
    Page<ShelfGroupView, GroupCursor> page =
        switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
          case TenantChoice.None() -> new Page<>(List.of(), null);
          case TenantChoice.Of(Set<String> tenantIds) ->
              groups.page(
                  new GroupReads.Filter(tenantIds, destination.orElse(null), reason.orElse(null)),
                  isInside(call.caller()),
                  cursor.orElse(null),
                  limit);
        };
    String next = Cursors.of(page.next());
    return Answer.ok(
        new GroupsBody(
            page.items().stream().map(GroupBody::of).toList(),
            next != null,
            next,
            groups.countedAt().orElse(null)));
  }

  private Answer export(Call call) {
    boolean payloads = call.queryFlag("payloads");
    return lines.answer(page(call), isInside(call.caller()), payloads);
  }

  private Answer show(Call call) {
    long number = call.pathNumber("number");
    DeadLetterDetail found =
        shelf
            .find(number)
            .filter(detail -> call.caller().sees(detail.letter().tenantId()))
            .orElseThrow(() -> Call.notFound("dead letter", Long.toString(number)));
    var key = found.letter().key();
    return Answer.ok(
        DeadLetterDetailBody.of(
            found, deliveries.find(key.destinationId(), key.eventId()), isInside(call.caller())));
  }
}
