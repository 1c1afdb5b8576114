package io.penstock.server.limits;

import io.penstock.engine.ledger.Audit;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.limits.Arrivals;
import io.penstock.postgres.limits.LimitsStore;
import io.penstock.postgres.limits.LimitsStore.Publication;
import io.penstock.postgres.limits.LimitsVersion;
import io.penstock.postgres.limits.NewLimits;
import io.penstock.postgres.node.NodeStore;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.FieldFault;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.yaml.Fault;
import io.penstock.server.yaml.FaultyFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows the limits, their versions and the nodes that obey them; checks, plans and applies a file.
 * For operators of the whole installation: a key that is bound to tenants may not. Safe for use by
 * many threads.
 */
public final class LimitsRoutes {
  private static final Set<Scope> OPERATE = EnumSet.of(Scope.OPERATOR);

  /** JSON may write a character of the file in six. */
  private static final int MOST_BODY_BYTES = LimitsFile.MOST_BYTES + (4 << 20);

  private static final int MOST_WORDS_CHARS = 500;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");
  private static final String NUMBER_WORDS = "a version's number";
  private static final Duration ALIVE = Duration.ofMinutes(1);
  private static final int MOST_FAULTS_NAMED = 20;

  private final LimitsStore store;
  private final LimitsPublisher publisher;
  private final LimitsPlan plan;
  private final NodeStore nodes;
  private final LiveLimits live;

  LimitsRoutes(
      LimitsStore store,
      LimitsPublisher publisher,
      Arrivals arrivals,
      NodeStore nodes,
      LiveLimits live) {
    this.store = store;
    this.publisher = publisher;
    this.plan = new LimitsPlan(arrivals);
    this.nodes = nodes;
    this.live = live;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/limits", OPERATE, Set.of(), this::inForce),
        Route.get("/v1/limits/versions", OPERATE, Set.of("before", "limit"), this::history),
        Route.get("/v1/limits/versions/{version}", OPERATE, Set.of(), this::version),
        Route.post("/v1/limits/versions/{version}/rollback", OPERATE, this::rollback),
        Route.get("/v1/limits/effective/{destination}", OPERATE, Set.of(), this::effective),
        large("/v1/limits/check", this::check),
        large("/v1/limits/plan", this::planned),
        large("/v1/limits/apply", this::apply),
        Route.get("/v1/nodes", OPERATE, Set.of(), this::nodes));
  }

  private static Route large(String path, io.penstock.server.http.Handler handler) {
    return new Route("POST", path, OPERATE, Set.of(), MOST_BODY_BYTES, handler);
  }

  /** A version as the API shows it; {@code content} is not there in lists. */
  record VersionBody(
      long version,
      String hash,
      String result,
      String source,
      String author,
      String reviewer,
      String commit,
      String reason,
      Instant at,
      String diff,
      @Nullable String content) {
    static VersionBody of(LimitsVersion version, boolean whole) {
      return new VersionBody(
          version.versionNo(),
          version.hash(),
          version.applied() ? "applied" : "refused",
          version.source(),
          version.author(),
          version.reviewer(),
          version.commit(),
          version.reason(),
          version.at(),
          version.diff(),
          whole ? version.content() : null);
    }
  }

  /** Versions, newest first. */
  record VersionsBody(List<VersionBody> items, boolean hasMore) {}

  /**
   * What is in force.
   *
   * @param version 0 = no version was made yet, and the built-in defaults hold
   */
  record InForceBody(long version, @Nullable VersionBody inForce, List<NodeBody> nodes) {}

  /** A node and what it obeys. */
  record NodeBody(
      String node,
      String host,
      String version,
      Instant startedAt,
      Instant lastBeat,
      long limitsVersion,
      String limitsComplaint) {
    static NodeBody of(NodeStore.Node node) {
      return new NodeBody(
          node.node(),
          node.host(),
          node.version(),
          node.startedAt(),
          node.lastBeat(),
          node.limitsVersion(),
          node.limitsComplaint());
    }
  }

  /** Nodes that were heard of within a minute. */
  record NodesBody(List<NodeBody> items) {}

  /** A fault or a note, with its place. */
  record NoteBody(String file, int line, int column, String key, String message) {
    static NoteBody of(Fault fault) {
      return new NoteBody(
          fault.place().file(),
          fault.place().line(),
          fault.place().column(),
          fault.key(),
          fault.message());
    }
  }

  /** Whether a text would be accepted. */
  record CheckBody(boolean ok, List<NoteBody> faults, List<NoteBody> notes) {}

  /**
   * What an application did.
   *
   * @param changed false = what is in force says the same already
   */
  record AppliedBody(boolean changed, VersionBody version, List<NoteBody> notes) {}

  /** What a text would change. */
  record PlanBody(LimitsPlan.Plan plan, List<NoteBody> notes) {}

  /**
   * The limits of one destination by key.
   *
   * @param builtIn what Penstock comes with, of the keys for which the file says something else
   */
  record EffectiveBody(
      String destinationId,
      long version,
      Map<String, String> limits,
      Map<String, String> builtIn) {}

  private static void requireUnbound(Call call) {
    if (!call.caller().tenants().isEmpty()) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "limits are of the whole installation, and this key is bound to tenants");
    }
  }

  private Answer inForce(Call call) {
    requireUnbound(call);
    return Answer.ok(
        store
            .inForce()
            .map(version ->
                new InForceBody(version.versionNo(), VersionBody.of(version, true), nodeBodies()))
            .orElseGet(() -> new InForceBody(0, null, nodeBodies())));
  }

  private Answer history(Call call) {
    requireUnbound(call);
    int limit = call.limit();
    long before = call.query("before").map(text -> number("before", text)).orElse(Long.MAX_VALUE);
    List<LimitsVersion> found = store.before(before, limit + 1);
    return Answer.ok(
        new VersionsBody(
            found.stream().limit(limit).map(one -> VersionBody.of(one, false)).toList(),
            found.size() > limit));
  }

  private Answer version(Call call) {
    requireUnbound(call);
    return Answer.ok(VersionBody.of(found(call), true));
  }

  private Answer effective(Call call) {
    requireUnbound(call);
    String id = call.pathId("destination");
    Map<String, String> limits = EffectiveLimits.of(live.of(id));
    Map<String, String> builtIn = EffectiveLimits.of(DestinationLimits.DEFAULT);
    builtIn.entrySet().removeIf(e -> e.getValue().equals(limits.get(e.getKey())));
    return Answer.ok(new EffectiveBody(id, live.versionNo(), limits, builtIn));
  }

  private Answer nodes(Call call) {
    requireUnbound(call);
    return Answer.ok(new NodesBody(nodeBodies()));
  }

  private List<NodeBody> nodeBodies() {
    return nodes.alive(ALIVE).stream().map(NodeBody::of).toList();
  }

  private Answer check(Call call) {
    requireUnbound(call);
    String content = content(call.fields().only(Set.of("content", "name")));
    try {
      LimitsReader.Reading reading = LimitsReader.readAll(name(call.fields()), content);
      return Answer.ok(new CheckBody(true, List.of(), notes(reading)));
    } catch (FaultyFileException faulty) {
      return Answer.ok(
          new CheckBody(false, faulty.faults().stream().map(NoteBody::of).toList(), List.of()));
    }
  }

  private Answer planned(Call call) {
    requireUnbound(call);
    Fields fields = call.fields().only(Set.of("content", "name"));
    LimitsReader.Reading reading = readOrRefuse(name(fields), content(fields));
    return Answer.ok(new PlanBody(plan.of(live.document(), reading.document()), notes(reading)));
  }

  private Answer apply(Call call) {
    requireUnbound(call);
    Fields fields =
        call.fields()
            .only(Set.of("content", "name", "author", "reviewer", "commit", "reason", "replaces"));
    String content = content(fields);
    String reason =
        fields.requiredProse("reason", MOST_WORDS_CHARS, "a few words on why, for the audit");
    Audit by = call.audit(reason);
    NewLimits limits =
        new NewLimits(
            content,
            LimitsPublisher.sha256(content),
            fields.prose("author", MOST_WORDS_CHARS).orElse(by.actor()),
            fields.prose("reviewer", MOST_WORDS_CHARS).orElse(""),
            fields.prose("commit", MOST_WORDS_CHARS).orElse(""),
            reason,
            "api");
    Function<Long, Boolean> still =
        fields
            .optionalText("replaces", NUMBER, NUMBER_WORDS + " as text")
            .map(Long::valueOf)
            .<Function<Long, Boolean>>map(wanted -> inForce -> inForce.equals(wanted))
            .orElse(_ -> true);
    return published(name(fields), limits, by, still);
  }

  private Answer rollback(Call call) {
    requireUnbound(call);
    String reason =
        call.fields()
            .only(Set.of("reason"))
            .requiredProse("reason", MOST_WORDS_CHARS, "a few words on why, for the audit");
    LimitsVersion old = found(call);
    if (!old.applied()) {
      throw ProblemException.of(
          ErrorCode.WRONG_STATE,
          "version %d was refused and was never in force".formatted(old.versionNo()));
    }
    Audit by = call.audit(reason);
    NewLimits limits =
        new NewLimits(
            old.content(),
            LimitsPublisher.sha256(old.content()),
            by.actor(),
            "",
            old.commit(),
            reason,
            "rollback");
    return published("version " + old.versionNo(), limits, by, _ -> true);
  }

  private Answer published(String name, NewLimits limits, Audit by, Function<Long, Boolean> still) {
    List<NoteBody> notes = List.of();
    try {
      Publication publication = publisher.publish(name, limits, by, null, still);
      notes = notes(LimitsReader.readAll(name, limits.content()));
      return switch (publication) {
        case Publication.Applied applied ->
            Answer.ok(new AppliedBody(true, VersionBody.of(applied.version(), false), notes));
        case Publication.Same same ->
            Answer.ok(new AppliedBody(false, VersionBody.of(same.version(), false), notes));
        case Publication.Outdated outdated ->
            throw ProblemException.of(
                ErrorCode.WRONG_STATE,
                "version %d is in force by now, which is not the one to be replaced"
                    .formatted(outdated.inForce()));
      };
    } catch (FaultyFileException faulty) {
      throw refusal(faulty);
    }
  }

  private static LimitsReader.Reading readOrRefuse(String name, String content) {
    try {
      return LimitsReader.readAll(name, content);
    } catch (FaultyFileException faulty) {
      throw refusal(faulty);
    }
  }

  private static ProblemException refusal(FaultyFileException faulty) {
    List<FieldFault> faults =
        faulty.faults().stream()
            .limit(MOST_FAULTS_NAMED)
            .map(fault ->
                new FieldFault(fault.place() + " " + fault.key(), "see allowed", fault.message()))
            .toList();
    return ProblemException.of(
        ErrorCode.LIMITS_REFUSED,
        String.valueOf(faulty.getMessage())
            .lines()
            .limit(MOST_FAULTS_NAMED)
            .reduce((a, b) -> a + "\n" + b)
            .orElse(""),
        faults);
  }

  private List<NoteBody> notes(LimitsReader.Reading reading) {
    return publisher.notes(reading).stream().map(NoteBody::of).toList();
  }

  private static String content(Fields fields) {
    return fields.text("content", Texts.ANY, "the text of a limits file");
  }

  /** What the caller calls the file, so that messages lead to it. */
  private static String name(Fields fields) {
    return fields.prose("name", MOST_WORDS_CHARS).orElse("limits.yaml");
  }

  private LimitsVersion found(Call call) {
    String text = call.pathId("version");
    if (!NUMBER.matcher(text).matches()) {
      throw Call.notFound("version", text);
    }
    return store.find(Long.parseLong(text)).orElseThrow(() -> Call.notFound("version", text));
  }

  private static long number(String name, String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw ProblemException.parameter(name, text, NUMBER_WORDS);
    }
    return Long.parseLong(text);
  }
}
