package io.penstock.server.destination;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.depth.Depths;
import io.penstock.postgres.depth.Depths.Depth;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DestinationView;
import io.penstock.push.guard.Guard;
import io.penstock.push.guard.Verdict;
import io.penstock.server.auth.Scope;
import io.penstock.server.header.CustomHeaders;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.page.Cursors;
import io.penstock.server.page.PageBody;
import io.penstock.server.page.TenantChoice;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.FieldFault;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes and shows destinations and what they hear. Safe for use by many threads. */
public final class DestinationRoutes {
  private static final Set<Scope> ADMINISTER = EnumSet.of(Scope.ADMIN);
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);
  private static final String ONE = "/v1/destinations/{destination}";

  /** Most signing keys at once: one, its successor, and room for a mistake. */
  private static final int MOST_SECRETS = 4;

  private static final int MOST_REASON_CHARS = 500;
  private static final int MOST_TYPES = 200;
  private static final int MOST_SUBSCRIPTIONS = 1_000;
  private static final int MOST_URL_CHARS = 2_000;
  private static final Comparator<Map.Entry<String, Depth>> OLDEST_FIRST =
      Comparator.<Map.Entry<String, Depth>, Instant>comparing(
              one -> Objects.requireNonNullElse(one.getValue().oldestReadySince(), Instant.MAX))
          .thenComparing(Map.Entry::getKey);

  private static final Pattern MODE = Pattern.compile("push|pull");
  private static final Pattern URL = Pattern.compile("https?://[!-~]+");
  private static final String URL_WORDS =
      "an absolute http or https URL of at most 2,000 characters";
  private static final Pattern SECRET =
      Pattern.compile("(env:[A-Za-z_][A-Za-z0-9_]*|file:/[!-~]+)");

  private final Ledger ledger;
  private final ConfigurationReads reads;
  private final Limits limits;
  private final BudgetRules budgets;
  private final Guard guard;
  private final SigningSecrets signing;
  private final Supplier<Depths> depths;
  private final RandomGenerator random;
  private final Runnable changed;

  /**
   * @param depths what waited when this node last counted
   * @param random makes ids
   * @param changed hears of every change, to tell the nodes; must not block
   */
  public DestinationRoutes(
      Ledger ledger,
      ConfigurationReads reads,
      Limits limits,
      BudgetRules budgets,
      Guard guard,
      SigningSecrets signing,
      Supplier<Depths> depths,
      RandomGenerator random,
      Runnable changed) {
    this.ledger = ledger;
    this.reads = reads;
    this.limits = limits;
    this.budgets = budgets;
    this.guard = guard;
    this.signing = signing;
    this.depths = depths;
    this.random = random;
    this.changed = changed;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/destinations", ADMINISTER, this::create),
        Route.get(
            "/v1/destinations", READ, Set.of("tenant", "waiting", "cursor", "limit"), this::list),
        Route.get(ONE, READ, Set.of(), this::show),
        Route.post(ONE + "/delete", ADMINISTER, this::delete),
        new Route(
            "PUT",
            ONE + "/subscription",
            ADMINISTER,
            Set.of(),
            Route.SMALL_BODY_BYTES,
            this::subscribe),
        Route.get(ONE + "/subscription", READ, Set.of(), this::subscription));
  }

  private Answer create(Call call) {
    Fields fields =
        call.fields()
            .only(
                Set.of(
                    "id",
                    "tenant",
                    "mode",
                    "url",
                    "headers",
                    "secrets",
                    "generate_secret",
                    "types"));
    String tenant = fields.text("tenant", Texts.ID, Texts.ID_WORDS);
    String id = fields.optionalText("id", Texts.ID, Texts.ID_WORDS).orElseGet(this::newId);
    List<String> types = types(fields);
    Destination wanted = wanted(id, tenant, fields);
    if (reads.tenant(tenant).isEmpty()) {
      throw ProblemException.field(
          "tenant", tenant, "a tenant that exists (POST /v1/tenants makes one)");
    }
    SigningSecrets.Made made = fields.flag("generate_secret") ? signing.make(id) : null;
    store(call, made == null ? wanted : withSecret(wanted, made.reference()), made);
    if (fields.has("types")) {
      ledger.subscribe(id, types, call.audit(""));
    }
    changed.run();
    return Answer.json(201, body(find(call, id), made == null ? null : made.key()));
  }

  private void store(Call call, Destination wanted, SigningSecrets.@Nullable Made made) {
    boolean stored = false;
    try {
      Optional<Destination> created =
          ledger.createDestination(wanted, budgets.initial(), call.audit(""));
      stored = created.isPresent();
    } finally {
      if (!stored && made != null) {
        made.discard();
      }
    }
    if (!stored) {
      throw ProblemException.of(
          ErrorCode.ID_TAKEN,
          "there is a destination %s already; ids are unique in the installation"
              .formatted(wanted.id()));
    }
  }

  private Destination wanted(String id, String tenant, Fields fields) {
    String mode = fields.optionalText("mode", MODE, "push or pull").orElse("push");
    return mode.equals("pull") ? tube(id, tenant, fields) : pushed(id, tenant, fields);
  }

  /** Nothing is sent from a tube: what belongs to sending has no meaning there. */
  private static Destination tube(String id, String tenant, Fields fields) {
    for (String field : List.of("url", "headers", "secrets", "generate_secret")) {
      if (fields.has(field)) {
        throw ProblemException.field(
            field, "it with mode pull", "none: workers lease from a tube, nothing is sent");
      }
    }
    return new Destination(id, 0, tenant, Destination.Mode.PULL, "", List.of(), List.of(), id, 0);
  }

  private Destination pushed(String id, String tenant, Fields fields) {
    String url = fields.text("url", URL, URL_WORDS);
    if (url.length() > MOST_URL_CHARS) {
      throw ProblemException.field("url", "%,d characters".formatted(url.length()), URL_WORDS);
    }
    if (guard.check(url) instanceof Verdict.Refused refused) {
      throw ProblemException.of(
          ErrorCode.ADDRESS_REFUSED,
          refused.message(),
          List.of(new FieldFault("url", url, "a URL that egress policy lets out")));
    }
    List<String> secrets =
        fields.texts(
            "secrets",
            MOST_SECRETS,
            SECRET,
            "a reference, env:NAME or file:/path; generate_secret makes a key");
    if (fields.flag("generate_secret") && !secrets.isEmpty()) {
      throw ProblemException.field(
          "generate_secret", "true with secrets", "either generate_secret or secrets");
    }
    return new Destination(
        id,
        0,
        tenant,
        Destination.Mode.PUSH,
        url,
        CustomHeaders.checked("headers", fields.map("headers", CustomHeaders.MOST)),
        secrets,
        id,
        0);
  }

  private static Destination withSecret(Destination d, String reference) {
    return new Destination(
        d.id(),
        d.shard(),
        d.tenantId(),
        d.mode(),
        d.url(),
        d.headers(),
        List.of(reference),
        d.budgetId(),
        d.configNo());
  }

  private String newId() {
    return "dst_" + HexFormat.of().toHexDigits(random.nextLong());
  }

  /** That it is gone; its id stays taken, and its history stays. */
  record DeletedBody(String id) {}

  private Answer delete(Call call) {
    String id = call.pathId("destination");
    String reason =
        call.fields()
            .only(Set.of("reason"))
            .requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit");
    find(call, id);
    if (!ledger.deleteDestination(id, call.audit(reason))) {
      throw Call.notFound("destination", id);
    }
    changed.run();
    return Answer.ok(new DeletedBody(id));
  }

  private Answer list(Call call) {
    var cursor = Cursors.id(call);
    int limit = call.limit();
    return switch (TenantChoice.of(call.caller(), call.queryId("tenant"))) {
      case TenantChoice.None() -> Answer.ok(PageBody.none());
      case TenantChoice.Of(Set<String> tenantIds) -> {
        if (call.queryFlag("waiting")) {
          cursor.ifPresent(_ -> {
            throw ProblemException.parameter(
                "cursor",
                "one with waiting=true",
                "none: what waits is one page, the oldest first");
          });
          yield waiting(tenantIds, limit);
        }
        var page = reads.destinations(tenantIds, cursor.orElse(null), limit);
        yield Answer.ok(
            PageBody.of(page.items(), view -> body(view, null), Cursors.of(page.next())));
      }
    };
  }

  /** Those with something waiting, by this node's count: the oldest ready first, at most a page. */
  private Answer waiting(Set<String> tenantIds, int limit) {
    List<String> ids =
        depths.get().destinations().entrySet().stream()
            .filter(one -> tenantIds.isEmpty() || tenantIds.contains(one.getValue().tenantId()))
            .sorted(OLDEST_FIRST)
            .limit(limit)
            .map(Map.Entry::getKey)
            .toList();
    return Answer.ok(PageBody.of(reads.destinations(ids), view -> body(view, null), null));
  }

  private DestinationBody body(DestinationView view, @Nullable String secret) {
    return DestinationBody.of(view, limits, depths.get(), secret);
  }

  private Answer show(Call call) {
    return Answer.ok(body(find(call, call.pathId("destination")), null));
  }

  /** What a destination hears of its tenant's events; no types = all of them. */
  record SubscriptionBody(String destinationId, boolean subscribed, List<String> types) {}

  private Answer subscribe(Call call) {
    String id = call.pathId("destination");
    find(call, id);
    List<String> types = types(call.fields().only(Set.of("types")));
    ledger.subscribe(id, types, call.audit(""));
    return Answer.ok(new SubscriptionBody(id, true, types));
  }

  private Answer subscription(Call call) {
    DestinationView view = find(call, call.pathId("destination"));
    String id = view.destination().id();
    return Answer.ok(
        reads.subscriptions(view.destination().tenantId(), MOST_SUBSCRIPTIONS).stream()
            .filter(s -> s.destinationId().equals(id))
            .findFirst()
            .map(s -> new SubscriptionBody(id, true, s.types()))
            .orElseGet(() -> new SubscriptionBody(id, false, List.of())));
  }

  private static List<String> types(Fields fields) {
    List<String> types = fields.texts("types", MOST_TYPES, Texts.ANY, Texts.TYPE_WORDS);
    for (String type : types) {
      if (!Texts.isType(type)) {
        throw ProblemException.field("types", type, Texts.TYPE_WORDS);
      }
    }
    return types;
  }

  private DestinationView find(Call call, String id) {
    return reads
        .destination(id)
        .filter(view -> call.caller().sees(view.destination().tenantId()))
        .orElseThrow(() -> Call.notFound("destination", id));
  }
}
