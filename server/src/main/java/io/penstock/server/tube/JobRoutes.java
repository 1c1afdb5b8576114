package io.penstock.server.tube;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.tube.JobEnd;
import io.penstock.engine.tube.Tubes;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.read.TubeView;
import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Handler;
import io.penstock.server.http.Route;
import io.penstock.server.json.Fields;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.Problem;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What workers do: lease, renew, complete, fail, release; one job or many. For many threads. */
public final class JobRoutes {
  private static final Set<Scope> WORK = EnumSet.of(Scope.WORKER);
  private static final String ONE = "/v1/tubes/{destination}/jobs/{event}/";

  /** Jobs of one batch: as many as one transaction takes. */
  private static final int MOST_BATCH = 500;

  private static final int BATCH_BYTES = 2 << 20;

  /** A batch of which some items were refused; each item tells. */
  private static final int MULTI_STATUS = 207;

  /** Time in which the ledger answers, or the worker is told to come back. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Set<String> NOTHING_MORE = Set.of();

  private final Tubes tubes;
  private final TubeDirectory directory;
  private final TubeReads reads;
  private final LeaseRoute leasing;

  public JobRoutes(
      Tubes tubes, Limits limits, Ledger ledger, TubeReads reads, LongSupplier nanoClock) {
    this.tubes = tubes;
    this.directory = new TubeDirectory(ledger, nanoClock);
    this.reads = reads;
    this.leasing = new LeaseRoute(tubes, limits, directory, reads, ledger);
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/jobs/lease", WORK, leasing::lease),
        Route.post(ONE + "renew", WORK, this::renewOne),
        ending("complete", JobReader.COMPLETE, JobReader::completed),
        ending("fail", JobReader.FAIL, JobReader::failed),
        ending("release", NOTHING_MORE, _ -> new JobEnd.Released()),
        batch("renew", this::renewMany),
        batch("complete", call -> endMany(call, JobReader.COMPLETE, JobReader::completed)),
        batch("fail", call -> endMany(call, JobReader.FAIL, JobReader::failed)),
        batch("release", call -> endMany(call, NOTHING_MORE, _ -> new JobEnd.Released())));
  }

  private static Route batch(String action, Handler handler) {
    return new Route("POST", "/v1/jobs/" + action, WORK, Set.of(), BATCH_BYTES, handler);
  }

  private Route ending(String action, Set<String> known, Function<Fields, JobEnd> end) {
    return Route.post(ONE + action, WORK, call -> endOne(call, known, end));
  }

  // ---- answers

  /** A lease that goes on. */
  record RenewedBody(
      String tube, UUID job, long leaseNo, Instant leaseUntil, double leaseSeconds) {}

  /**
   * A lease that ended.
   *
   * @param state of the delivery now: delivered, retrying, pending or dead
   * @param retryAt when it is tried again; null = not by itself, or when its turn comes
   * @param reason why it is dead; null = it is not
   * @param repeated true when this call came before and only its answer was lost
   */
  record EndedBody(
      String tube,
      UUID job,
      long leaseNo,
      String state,
      @Nullable Instant retryAt,
      @Nullable String reason,
      @Nullable Boolean repeated) {}

  /** One job of a batch: what its own call would have answered, or its refusal. */
  record ItemBody(
      int status,
      String tube,
      UUID job,
      long leaseNo,
      @Nullable Instant leaseUntil,
      @Nullable String state,
      @Nullable Instant retryAt,
      @Nullable String reason,
      @Nullable Boolean repeated,
      @Nullable Problem problem) {}

  /** A batch's answer, in the order of the jobs. */
  record BatchBody(int done, int lost, List<ItemBody> jobs) {}

  // ---- one job

  private Answer renewOne(Call call) {
    JobRef job = one(call);
    Fields fields = call.fields().only(Set.of("lease_no"));
    JobRef lease = new JobRef(job.key(), JobReader.leaseNo(fields));
    Waiting<Optional<Instant>> waiting = new Waiting<>();
    tubes.renew(lease, waiting);
    Instant until = waiting.await(PATIENCE).orElseThrow(() -> lost(lease));
    return Answer.ok(
        new RenewedBody(
            lease.key().destinationId(),
            lease.key().eventId(),
            lease.leaseNo(),
            until,
            tubes.settings().lease().toMillis() / 1_000.0));
  }

  private Answer endOne(Call call, Set<String> known, Function<Fields, JobEnd> reader) {
    JobRef job = one(call);
    Fields fields = call.fields();
    Set<String> allowed = new HashSet<>(known);
    allowed.add("lease_no");
    fields.only(allowed);
    JobRef lease = new JobRef(job.key(), JobReader.leaseNo(fields));
    JobEnd end = reader.apply(fields);
    Waiting<Optional<Settled.Applied>> waiting = new Waiting<>();
    tubes.end(lease, end, waiting);
    Optional<Settled.Applied> applied = waiting.await(PATIENCE);
    return Answer.ok(
        applied.map(done -> ended(lease, done.move())).orElseGet(() -> again(lease, end)));
  }

  /** The job of the path; before the body is looked at, since it tells whose tubes there are. */
  private JobRef one(Call call) {
    String id = call.pathId("destination");
    Destination tube = directory.all(call.caller(), List.of(id)).getFirst();
    return new JobRef(new DeliveryKey(tube.shard(), id, call.pathUuid("event")), 0);
  }

  private static EndedBody ended(JobRef lease, Move move) {
    String tube = lease.key().destinationId();
    UUID job = lease.key().eventId();
    return switch (move) {
      case Move.Deliver _ ->
          new EndedBody(tube, job, lease.leaseNo(), "delivered", null, null, null);
      case Move.Retry retry ->
          new EndedBody(tube, job, lease.leaseNo(), "retrying", retry.notBefore(), null, null);
      case Move.KeepPlace _ ->
          new EndedBody(tube, job, lease.leaseNo(), "pending", null, null, null);
      case Move.Die die ->
          new EndedBody(tube, job, lease.leaseNo(), "dead", null, die.reason().word(), null);
    };
  }

  /** A completion whose answer was lost is answered again; anything else came too late. */
  private EndedBody again(JobRef lease, JobEnd end) {
    Optional<TubeView.Ended> ended = reads.ended(lease);
    boolean repeated =
        end instanceof JobEnd.Completed
            && ended.map(e -> e.outcome().equals("delivered")).orElse(false);
    if (!repeated) {
      throw lost(lease, ended);
    }
    return new EndedBody(
        lease.key().destinationId(),
        lease.key().eventId(),
        lease.leaseNo(),
        "delivered",
        null,
        null,
        true);
  }

  private ProblemException lost(JobRef lease) {
    return lost(lease, reads.ended(lease));
  }

  private static ProblemException lost(JobRef lease, Optional<TubeView.Ended> ended) {
    String how =
        ended
            .map(e ->
                e.detail().equals("lease_lost")
                    ? "it ran out without a renewal and was taken back"
                    : "it ended as %s (%s) before".formatted(e.outcome(), e.detail()))
            .orElse("it was handed back, cancelled, or never was");
    return ProblemException.of(
        ErrorCode.LEASE_LOST,
        "lease %d of job %s in tube %s: %s; stop working on it, this call changed nothing"
            .formatted(lease.leaseNo(), lease.key().eventId(), lease.key().destinationId(), how));
  }

  // ---- many jobs

  /** The leases that a batch names; all of its tubes must be the caller's to see. */
  private List<JobRef> many(Call call, List<Fields> items) {
    List<String> ids = items.stream().map(JobReader::tube).toList();
    Map<String, Destination> byId = new HashMap<>();
    directory.all(call.caller(), ids).forEach(tube -> byId.put(tube.id(), tube));
    List<JobRef> jobs = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      Destination tube = byId.get(ids.get(i));
      if (tube == null) {
        throw Call.notFound("tube", ids.get(i));
      }
      jobs.add(
          new JobRef(
              new DeliveryKey(tube.shard(), tube.id(), items.get(i).uuid("job")),
              JobReader.leaseNo(items.get(i))));
    }
    return jobs;
  }

  private Answer renewMany(Call call) {
    List<Fields> items = call.fields().only(Set.of("jobs")).objects("jobs", MOST_BATCH);
    items.forEach(item -> item.only(JobReader.REFERENCE));
    List<JobRef> jobs = many(call, items);
    List<Waiting<Optional<Instant>>> waiting = new ArrayList<>();
    for (JobRef job : jobs) {
      Waiting<Optional<Instant>> one = new Waiting<>();
      waiting.add(one);
      tubes.renew(job, one);
    }
    List<ItemBody> bodies = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      JobRef job = jobs.get(i);
      bodies.add(
          waiting
              .get(i)
              .await(PATIENCE)
              .map(until -> item(job, until))
              .orElseGet(() -> item(job, lost(job))));
    }
    return answer(bodies);
  }

  private Answer endMany(Call call, Set<String> known, Function<Fields, JobEnd> reader) {
    List<Fields> items = call.fields().only(Set.of("jobs")).objects("jobs", MOST_BATCH);
    Set<String> allowed = new HashSet<>(known);
    allowed.addAll(JobReader.REFERENCE);
    items.forEach(item -> item.only(allowed));
    List<JobRef> jobs = many(call, items);
    List<JobEnd> ends = items.stream().map(reader).toList();
    List<Waiting<Optional<Settled.Applied>>> waiting = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      Waiting<Optional<Settled.Applied>> one = new Waiting<>();
      waiting.add(one);
      tubes.end(jobs.get(i), ends.get(i), one);
    }
    List<ItemBody> bodies = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      Optional<Settled.Applied> applied = waiting.get(i).await(PATIENCE);
      bodies.add(item(jobs.get(i), applied, ends.get(i)));
    }
    return answer(bodies);
  }

  private static Answer answer(List<ItemBody> bodies) {
    int lost = (int) bodies.stream().filter(item -> item.problem() != null).count();
    return Answer.json(
        lost == 0 ? 200 : MULTI_STATUS, new BatchBody(bodies.size() - lost, lost, bodies));
  }

  private ItemBody item(JobRef job, Optional<Settled.Applied> applied, JobEnd end) {
    try {
      EndedBody done = applied.map(one -> ended(job, one.move())).orElseGet(() -> again(job, end));
      return new ItemBody(
          200,
          done.tube(),
          done.job(),
          done.leaseNo(),
          null,
          done.state(),
          done.retryAt(),
          done.reason(),
          done.repeated(),
          null);
    } catch (ProblemException lost) {
      return item(job, lost);
    }
  }

  private static ItemBody item(JobRef job, Instant until) {
    return new ItemBody(
        200,
        job.key().destinationId(),
        job.key().eventId(),
        job.leaseNo(),
        until,
        null,
        null,
        null,
        null,
        null);
  }

  private static ItemBody item(JobRef job, ProblemException lost) {
    return new ItemBody(
        lost.code().status(),
        job.key().destinationId(),
        job.key().eventId(),
        job.leaseNo(),
        null,
        null,
        null,
        null,
        null,
        Problem.of(lost, null));
  }
}
