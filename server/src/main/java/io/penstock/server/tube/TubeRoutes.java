package io.penstock.server.tube;

import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.read.TubeView;
import io.penstock.postgres.worker.WorkerStore;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows tubes and the workers that serve them. Safe for use by many threads. */
public final class TubeRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);

  /** Workers that were silent for longer are not shown. */
  private static final Duration HEARD_OF = Duration.ofHours(1);

  private final TubeReads reads;
  private final WorkerStore workers;
  private final Limits limits;

  public TubeRoutes(TubeReads reads, WorkerStore workers, Limits limits) {
    this.reads = reads;
    this.workers = workers;
    this.limits = limits;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/tubes", READ, Set.of("tenant", "cursor", "limit"), this::list),
        Route.get("/v1/tubes/{destination}", READ, Set.of(), this::show),
        Route.get("/v1/workers", OPERATE, Set.of("after", "limit"), this::workers));
  }

  private Answer list(Call call) {
    var cursor = Cursors.id(call);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> Answer.ok(PageBody.none());
      case TenantChoice.Of(Set<String> tenantIds) -> {
        var page = reads.tubes(tenantIds, cursor.orElse(null), limit);
        yield Answer.ok(PageBody.of(page.items(), this::body, Cursors.of(page.next())));
      }
    };
  }

  private Answer show(Call call) {
    String id = call.pathId("destination");
    return Answer.ok(
        reads
            .tube(id)
            .filter(view -> call.caller().sees(view.destination().destination().tenantId()))
            .map(this::body)
            .orElseThrow(() -> Call.notFound("tube", id)));
  }

  private TubeBody body(TubeView view) {
    return TubeBody.of(view, limits);
  }

  /**
   * A worker, as it names itself.
   *
   * @param tubes what it asked for last
   * @param running jobs that it holds, in {@code runningIn}
   * @param lastSeen its last lease, poll or renewal
   */
  record WorkerBody(
      String worker,
      @Nullable String pool,
      List<String> tubes,
      int running,
      List<String> runningIn,
      String node,
      Instant firstSeen,
      Instant lastSeen) {}

  /** Workers in the order of their names; more follow after the last when there are more. */
  record WorkersBody(List<WorkerBody> items, boolean hasMore) {}

  private Answer workers(Call call) {
    if (!call.caller().tenants().isEmpty()) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "workers serve many tenants: a key that is bound to tenants may not see them");
    }
    int limit = call.limit();
    List<WorkerStore.Worker> found =
        workers.alive(HEARD_OF, call.query("after").orElse(""), limit + 1);
    return Answer.ok(
        new WorkersBody(
            found.stream().limit(limit).map(TubeRoutes::body).toList(), found.size() > limit));
  }

  private static WorkerBody body(WorkerStore.Worker worker) {
    return new WorkerBody(
        worker.worker(),
        worker.poolId(),
        worker.tubes(),
        worker.running(),
        worker.runningIn(),
        worker.node(),
        worker.firstSeen(),
        worker.lastSeen());
  }
}
