package io.penstock.server.delivery;

import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.postgres.ledger.CancelFilter;
import io.penstock.postgres.ledger.CancelStep;
import io.penstock.postgres.ledger.Cancels;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DeliveryCursor;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.json.Times;
import io.penstock.server.page.Cursors;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Cancels what waits, by filter. Safe for use by many threads. */
public final class CancelRoutes {
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);
  private static final int MOST_REASON_CHARS = 500;

  /** One call works for so long; the caller goes on from its cursor and sees progress. */
  private static final Duration PER_CALL = Duration.ofSeconds(2);

  private final Cancels cancels;
  private final ConfigurationReads configuration;
  private final BudgetRule freed;
  private final Supplier<Instant> now;

  /**
   * @param freed gives a budget its slot back when a leased delivery is cancelled
   * @param now the ledger's time, for fields that say how long ago
   */
  public CancelRoutes(
      Cancels cancels, ConfigurationReads configuration, BudgetRule freed, Supplier<Instant> now) {
    this.cancels = cancels;
    this.configuration = configuration;
    this.freed = freed;
    this.now = now;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/deliveries/cancel", OPERATE, this::cancel));
  }

  /**
   * What one call did, or would do.
   *
   * @param cancelled how many, leased ones included
   * @param leased how many of them were being sent: their answers change nothing any more
   * @param nextCursor to go on with; null = all is done
   */
  record CancelBody(
      long cancelled, long leased, boolean dryRun, boolean hasMore, @Nullable String nextCursor) {}

  private Answer cancel(Call call) {
    Fields fields =
        call.fields()
            .only(
                Set.of(
                    "destination", "tenant", "type", "older_than", "dry_run", "reason", "cursor"));
    boolean dry = fields.flag("dry_run");
    Audit by = dry ? null : call.audit(reason(fields));
    CancelFilter filter = filter(call, fields);
    CancelStep.Place at = place(fields);
    String named = filter.destinationId();
    if (at != null && named != null && !at.destinationId().equals(named)) {
      throw ProblemException.field(
          "cursor", at.destinationId() + "'s", "next_cursor of an answer about " + named);
    }
    CancelStep step = cancels.step(filter, at, by, freed, PER_CALL);
    CancelStep.Place next = step.next();
    String cursor =
        next == null ? null : Cursors.of(new DeliveryCursor(next.eventId(), next.destinationId()));
    return Answer.ok(new CancelBody(step.deliveries(), step.leased(), dry, cursor != null, cursor));
  }

  private static String reason(Fields fields) {
    return fields.requiredProse(
        "reason", MOST_REASON_CHARS, "a few words on why, for the audit (or dry_run: true)");
  }

  private CancelFilter filter(Call call, Fields fields) {
    Optional<String> destination = fields.optionalText("destination", Texts.ID, Texts.ID_WORDS);
    Optional<String> tenant = fields.optionalText("tenant", Texts.ID, Texts.ID_WORDS);
    if (destination.isEmpty() && tenant.isEmpty()) {
      throw ProblemException.field(
          "destination", "neither destination nor tenant", "the id of one, or tenant");
    }
    destination.ifPresent(id -> mustSeeDestination(call, id));
    tenant.ifPresent(id -> mustSeeTenant(call, id));
    return new CancelFilter(
        destination.orElse(null),
        tenant.orElse(null),
        fields.optionalText("type", Texts.TYPE, Texts.TYPE_WORDS).orElse(null),
        olderThan(fields));
  }

  private void mustSeeDestination(Call call, String id) {
    var _ =
        configuration
            .destination(id)
            .filter(found -> call.caller().sees(found.destination().tenantId()))
            .orElseThrow(() -> Call.notFound("destination", id));
  }

  private void mustSeeTenant(Call call, String id) {
    if (!call.caller().sees(id) || configuration.tenant(id).isEmpty()) {
      throw Call.notFound("tenant", id);
    }
  }

  private @Nullable Instant olderThan(Fields fields) {
    return fields
        .optionalText("older_than", Texts.ANY, Times.WORDS)
        .map(text ->
            Times.read(text, now)
                .orElseThrow(() -> ProblemException.field("older_than", text, Times.WORDS)))
        .orElse(null);
  }

  private static CancelStep.@Nullable Place place(Fields fields) {
    return fields
        .optionalText("cursor", Texts.ANY, "next_cursor of an answer")
        .map(Cursors::delivery)
        .map(at -> new CancelStep.Place(at.destinationId(), at.eventId()))
        .orElse(null);
  }
}
