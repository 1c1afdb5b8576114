package io.penstock.server.permit;

import io.penstock.budget.Explanation;
import io.penstock.budget.permit.Permit;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.OutcomeOverrides;
import io.penstock.engine.permit.PermitAnswer;
import io.penstock.engine.permit.PermitDesk;
import io.penstock.engine.permit.PermitDesk.Ending;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.permit.ReportReader.Report;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Grants permits and takes their feedback. Safe for use by many threads. */
public final class PermitRoutes {
  private static final Set<Scope> WORK = EnumSet.of(Scope.WORKER);

  private final PermitDesk desk;
  private final Ledger ledger;
  private final Limits limits;
  private final Supplier<Instant> clock;

  /**
   * @param clock the ledger's time, as the node estimates it
   */
  public PermitRoutes(PermitDesk desk, Ledger ledger, Limits limits, Supplier<Instant> clock) {
    this.desk = desk;
    this.ledger = ledger;
    this.limits = limits;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/destinations/{destination}/permits", WORK, this::take),
        Route.post("/v1/permits/{permit}/feedback", WORK, this::feedback));
  }

  /**
   * What was granted.
   *
   * @param paceMs spread the requests over this time; 0 = at once
   */
  record PermitsBody(String destinationId, List<PermitBody> permits, long paceMs) {}

  /**
   * The right to send one request.
   *
   * @param expiresAt after this its feedback changes nothing
   * @param probe whether it is the probe of a parked destination
   */
  record PermitBody(String id, Instant expiresAt, boolean probe) {
    static PermitBody of(Permit permit) {
      return new PermitBody(permit.id(), permit.expiresAt(), permit.stamp().probe());
    }
  }

  /**
   * What a feedback came to.
   *
   * @param applied false = it changed nothing
   * @param result {@code booked}, {@code expired} or {@code repeated}
   */
  record EndingBody(String permitId, boolean applied, String result, String detail) {}

  private Answer take(Call call) {
    String id = call.pathId("destination");
    Destination destination = visible(call, id).orElseThrow(() -> Call.notFound("destination", id));
    int count =
        call.fieldsOrNone()
            .only(Set.of("count"))
            .whole("count", 1, PermitDesk.MOST)
            .orElse(1L)
            .intValue();
    if (destination.mode() == Destination.Mode.PULL) {
      throw ProblemException.of(
          ErrorCode.PERMITS_CLOSED,
          "%s is a tube: its workers lease jobs, which carry their own right to run".formatted(id));
    }
    return switch (desk.take(id, count)) {
      case PermitAnswer.Granted granted ->
          Answer.ok(
              new PermitsBody(
                  id,
                  granted.permits().stream().map(PermitBody::of).toList(),
                  granted.paceOver().toMillis()));
      case PermitAnswer.Later later ->
          throw ProblemException.later(
              ErrorCode.NO_PERMIT_YET,
              Explanation.of(later.why(), later.now()),
              later.retryAfter());
      case PermitAnswer.Refused refused ->
          throw ProblemException.of(
              ErrorCode.PERMITS_CLOSED, Explanation.of(refused.why(), refused.now()));
      case PermitAnswer.Closed closed ->
          throw ProblemException.of(ErrorCode.PERMITS_CLOSED, sentence(id, closed.why()));
      case PermitAnswer.Absent _ -> throw Call.notFound("destination", id);
    };
  }

  private static String sentence(String id, Gate.Closed why) {
    return switch (why) {
      case DELETED -> "%s was deleted".formatted(id);
      case DISABLED -> "%s is disabled; no permits until it is enabled".formatted(id);
      case PAUSED -> "%s is paused by an operator; no permits until it is resumed".formatted(id);
      case HELD ->
          "%s is held by Penstock for an operator; no permits until it is released".formatted(id);
    };
  }

  private Answer feedback(Call call) {
    String permit = call.pathId("permit");
    Optional<String> open = desk.destinationOf(permit);
    if (open.isPresent() && visible(call, open.get()).isEmpty()) {
      throw Call.notFound("permit", permit);
    }
    OutcomeOverrides own = open.map(id -> limits.of(id).outcomes()).orElse(OutcomeOverrides.NONE);
    Report report = ReportReader.read(call.fields(), own, clock.get());
    Ending ending = open.isEmpty() ? desk.endedBefore(permit) : end(open.get(), permit, report);
    return switch (ending) {
      case BOOKED -> answer(permit, true, "booked", "the budget has learned from it");
      case EXPIRED ->
          answer(
              permit,
              false,
              "expired",
              "it came after the permit's end, so nothing was changed; report sooner, or raise the"
                  + " destination's timeout");
      case REPEATED ->
          answer(permit, false, "repeated", "its feedback came before, so nothing was changed");
      case UNKNOWN -> throw Call.notFound("permit", permit);
    };
  }

  private Ending end(String destinationId, String permit, Report report) {
    return switch (report) {
      case Report.Ended ended -> desk.ended(destinationId, permit, ended.outcome(), ended.took());
      case Report.NotSent _ -> desk.notSent(destinationId, permit);
    };
  }

  private static Answer answer(String permit, boolean applied, String result, String detail) {
    return Answer.ok(new EndingBody(permit, applied, result, detail));
  }

  /** A deleted destination's permits may still be fed back by nobody: they expire. */
  private Optional<Destination> visible(Call call, String destinationId) {
    return ledger.destinations(List.of(destinationId)).stream()
        .filter(found -> call.caller().sees(found.tenantId()))
        .findFirst();
  }
}
