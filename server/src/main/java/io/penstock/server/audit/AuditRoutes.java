package io.penstock.server.audit;

import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.read.AuditView;
import io.penstock.postgres.read.Page;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Json;
import io.penstock.server.json.Texts;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import io.penstock.server.problem.ProblemException;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows who did what, why and when. Safe for use by many threads. */
public final class AuditRoutes {
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);
  private static final Set<String> QUERY =
      Set.of("tenant", "actor", "action", "subject", "since", "until", "cursor", "limit");
  private static final Pattern ACTION = Pattern.compile("[a-z_]{1,40}(\\.[a-z_]{1,40})?");
  private static final int MOST_CHARS = 200;

  private final AuditReads reads;
  private final Supplier<Instant> now;

  /**
   * @param now the ledger's time, for parameters that say how long ago
   */
  public AuditRoutes(AuditReads reads, Supplier<Instant> now) {
    this.reads = reads;
    this.now = now;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/audit", OPERATE, QUERY, this::list),
        Route.get("/v1/audit/export", OPERATE, QUERY, this::export));
  }

  /** One line, as the API shows it. */
  record AuditBody(
      long number,
      Instant at,
      String actor,
      String action,
      String subject,
      @Nullable String tenantId,
      String reason,
      @Nullable String detail) {
    static AuditBody of(AuditView view) {
      return new AuditBody(
          view.auditNo(),
          view.at(),
          view.actor(),
          view.action(),
          view.subject(),
          view.tenantId(),
          view.reason(),
          view.detail().isEmpty() ? null : view.detail());
    }
  }

  private Answer list(Call call) {
    Page<AuditView, Long> page = page(call);
    return Answer.ok(PageBody.of(page.items(), AuditBody::of, Cursors.of(page.next())));
  }

  private Answer export(Call call) {
    Page<AuditView, Long> page = page(call);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (AuditView line : page.items()) {
      out.writeBytes(Json.write(AuditBody.of(line)));
      out.write('\n');
    }
    Answer answer = Answer.of(200, "application/x-ndjson", out.toByteArray());
    String cursor = Cursors.of(page.next());
    return cursor == null ? answer : answer.with("Penstock-Next-Cursor", cursor);
  }

  private Page<AuditView, Long> page(Call call) {
    var cursor = Cursors.number(call);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> new Page<>(List.of(), null);
      case TenantChoice.Of(Set<String> tenantIds) ->
          reads.page(filter(call, tenantIds), cursor.orElse(null), limit);
    };
  }

  private AuditReads.Filter filter(Call call, Set<String> tenantIds) {
    return new AuditReads.Filter(
        tenantIds,
        call.query("actor").map(text -> words("actor", text)).orElse(null),
        call.query("action").map(AuditRoutes::action).orElse(null),
        call.query("subject").map(text -> words("subject", text)).orElse(null),
        call.queryTime("since", now).orElse(null),
        call.queryTime("until", now).orElse(null));
  }

  private static String action(String text) {
    if (!ACTION.matcher(text).matches()) {
      throw ProblemException.parameter(
          "action", text, "an action such as gate.pause, or its first word");
    }
    return text;
  }

  private static String words(String name, String text) {
    if (text.isEmpty() || text.length() > MOST_CHARS || !Texts.isPrintable(text)) {
      throw ProblemException.parameter(
          name, text, "1 to %d characters without control characters".formatted(MOST_CHARS));
    }
    return text;
  }
}
