package io.penstock.server.tenant;

import io.penstock.postgres.erasure.ErasurePlan;
import io.penstock.postgres.erasure.ErasureView;
import io.penstock.postgres.erasure.Erasures;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Deletes a tenant's data: counted, confirmed, watched. Safe for use by many threads. */
public final class ErasureRoutes {
  private static final Set<Scope> ADMINISTER = EnumSet.of(Scope.ADMIN);
  private static final int ACCEPTED = 202;
  private static final int MOST_REASON_CHARS = 500;
  private static final Pattern CONFIRMATION = Pattern.compile("[0-9a-f]{12}");
  private static final String CONFIRMATION_WORDS =
      "the confirmation of a plan of the last ten minutes";

  private final Erasures erasures;

  public ErasureRoutes(Erasures erasures) {
    this.erasures = erasures;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/tenants/{tenant}/erasure-plan", ADMINISTER, Set.of(), this::plan),
        Route.post("/v1/tenants/{tenant}/erase", ADMINISTER, this::erase),
        Route.get("/v1/erasures", ADMINISTER, Set.of(), this::list));
  }

  /** What would be deleted. */
  record PlanBody(
      String tenantId,
      long destinations,
      long waiting,
      long finished,
      long deadLetters,
      boolean atLeast,
      String confirmation) {
    static PlanBody of(ErasurePlan plan) {
      return new PlanBody(
          plan.tenantId(),
          plan.destinations(),
          plan.waiting(),
          plan.finished(),
          plan.deadLetters(),
          plan.capped(),
          plan.confirmation());
    }
  }

  /** How far an erasure is. */
  record ErasureBody(
      String tenantId,
      String actor,
      String reason,
      Instant startedAt,
      @Nullable Instant doneAt,
      long deadLetters,
      long deliveries,
      long attempts,
      long events,
      long idempotencyKeys,
      long auditLines) {
    static ErasureBody of(ErasureView view) {
      return new ErasureBody(
          view.tenantId(),
          view.actor(),
          view.reason(),
          view.startedAt(),
          view.doneAt(),
          view.deadLetters(),
          view.deliveries(),
          view.attempts(),
          view.events(),
          view.idempotencyKeys(),
          view.auditLines());
    }
  }

  /** All erasures, newest first. */
  record ErasuresBody(List<ErasureBody> items) {}

  private Answer plan(Call call) {
    String tenant = call.pathId("tenant");
    return Answer.ok(
        PlanBody.of(erasures.plan(tenant).orElseThrow(() -> Call.notFound("tenant", tenant))));
  }

  private Answer erase(Call call) {
    String tenant = call.pathId("tenant");
    Fields fields = call.fields().only(Set.of("confirmation", "reason"));
    String confirmation = fields.text("confirmation", CONFIRMATION, CONFIRMATION_WORDS);
    String reason =
        fields.requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
    return switch (erasures.start(tenant, confirmation, call.audit(reason))) {
      case Erasures.Start.Begun(ErasureView begun) -> Answer.json(ACCEPTED, ErasureBody.of(begun));
      case Erasures.Start.NotConfirmed() ->
          throw ProblemException.field("confirmation", confirmation, CONFIRMATION_WORDS);
      case Erasures.Start.NoTenant() -> throw Call.notFound("tenant", tenant);
    };
  }

  private Answer list(Call call) {
    return Answer.ok(new ErasuresBody(erasures.list().stream().map(ErasureBody::of).toList()));
  }
}
