package io.penstock.server.tenant;

import io.penstock.engine.ledger.Ledger;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.TenantView;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.notice.NoticeService;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Makes and shows tenants. Safe for use by many threads. */
public final class TenantRoutes {
  /** Penstock's own tenant. */
  private static final String RESERVED = NoticeService.TENANT;

  private static final Set<Scope> ADMINISTER = EnumSet.of(Scope.ADMIN);
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final int MOST_NAME_CHARS = 200;

  private final Ledger ledger;
  private final ConfigurationReads reads;

  public TenantRoutes(Ledger ledger, ConfigurationReads reads) {
    this.ledger = ledger;
    this.reads = reads;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/tenants", ADMINISTER, this::create),
        Route.get("/v1/tenants", READ, Set.of("cursor", "limit"), this::list),
        Route.get("/v1/tenants/{tenant}", READ, Set.of(), this::show));
  }

  /** A tenant as the API shows it. */
  record TenantBody(
      String id, String name, Instant createdAt, boolean disabled, boolean paused, boolean held) {
    static TenantBody of(TenantView view) {
      var gate = view.gate();
      return new TenantBody(
          view.tenantId(),
          view.name(),
          view.createdAt(),
          gate.disabled(),
          gate.paused(),
          gate.held());
    }
  }

  private Answer create(Call call) {
    Fields fields = call.fields().only(Set.of("id", "name"));
    String id = fields.text("id", Texts.ID, Texts.ID_WORDS);
    String name = fields.prose("name", MOST_NAME_CHARS).orElse(id);
    // Its own, for notices; it may not exist yet.
    if (id.equals(RESERVED) || !ledger.createTenant(id, name, call.audit(""))) {
      throw ProblemException.of(ErrorCode.ID_TAKEN, "there is a tenant %s already".formatted(id));
    }
    return Answer.json(201, TenantBody.of(find(call, id)));
  }

  private Answer list(Call call) {
    var page = reads.tenants(call.caller().tenants(), Cursors.id(call).orElse(null), call.limit());
    return Answer.ok(PageBody.of(page.items(), TenantBody::of, Cursors.of(page.next())));
  }

  private Answer show(Call call) {
    return Answer.ok(TenantBody.of(find(call, call.pathId("tenant"))));
  }

  private TenantView find(Call call, String id) {
    return reads
        .tenant(id)
        .filter(tenant -> call.caller().sees(tenant.tenantId()))
        .orElseThrow(() -> Call.notFound("tenant", id));
  }
}
