package io.penstock.server.tube;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.engine.tube.JobEnd;
import io.penstock.engine.tube.LeaseRequest;
import io.penstock.engine.tube.LeasedJob;
import io.penstock.engine.tube.Reply;
import io.penstock.engine.tube.Tube;
import io.penstock.engine.tube.Tubes;
import io.penstock.postgres.read.TubeReads;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Answers workers that ask for jobs, at once or when there are some. For many threads. */
final class LeaseRoute {
  /** Jobs per call; with the bound on a payload this bounds an answer's bytes. */
  static final int MOST_JOBS = 32;

  /** Tubes that a call may name. */
  static final int MOST_NAMED = 500;

  /** Tubes that a pool of generalists serves. */
  private static final int MOST_IN_POOL = PoolLimits.MOST_DESTINATIONS;

  /** Below the time after which a silent connection is cut. */
  static final double MOST_WAIT_SECONDS = 25;

  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(20);

  /** Beyond its wait, for a claim that is under way. */
  private static final Duration CLAIM_TIME = Duration.ofSeconds(10);

  private static final Duration COME_BACK = Duration.ofSeconds(1);

  /** Kilobytes of large payloads that are read at once. */
  private static final int LARGE_KILOBYTES = 32 << 10;

  private final Tubes tubes;
  private final Limits limits;
  private final TubeDirectory directory;
  private final TubeReads reads;
  private final Ledger ledger;
  private final Semaphore large = new Semaphore(LARGE_KILOBYTES);

  LeaseRoute(Tubes tubes, Limits limits, TubeDirectory directory, TubeReads reads, Ledger ledger) {
    this.tubes = tubes;
    this.limits = limits;
    this.directory = directory;
    this.reads = reads;
    this.ledger = ledger;
  }

  /**
   * What a worker gets.
   *
   * @param leaseSeconds how long each lease lasts from when it was made or renewed
   * @param renewEverySeconds when to renew, so that one lost call is no loss
   */
  record LeaseBody(List<JobBody> jobs, double leaseSeconds, double renewEverySeconds) {}

  Answer lease(Call call) {
    Fields fields = call.fields().only(Set.of("worker", "pool", "tubes", "most", "wait_seconds"));
    List<Destination> served = served(call, fields);
    String worker = fields.text("worker", JobReader.WORKER, JobReader.WORKER_WORDS);
    Duration wait = fields.seconds("wait_seconds", 0, MOST_WAIT_SECONDS).orElse(DEFAULT_WAIT);
    LeaseRequest request =
        new LeaseRequest(
            worker,
            fields.has("pool") ? fields.text("pool", Texts.ID, Texts.ID_WORDS) : null,
            served.stream().map(tube -> new Tube(tube.id(), tube.shard())).toList(),
            fields.whole("most", 1, MOST_JOBS).orElse(1L).intValue(),
            wait);
    Waiting<List<LeasedJob>> waiting = new Waiting<>();
    if (!tubes.lease(request, waiting)) {
      throw ProblemException.later(
          ErrorCode.OVERLOADED, "too many workers wait on this node already", COME_BACK);
    }
    return answer(waiting.await(wait.plus(CLAIM_TIME)));
  }

  private List<Destination> served(Call call, Fields fields) {
    if (fields.has("pool") == fields.has("tubes")) {
      throw ProblemException.field(
          "tubes",
          fields.has("pool") ? "pool and tubes" : "neither pool nor tubes",
          "either pool (a pool of the limits file) or tubes (ids of tubes)");
    }
    if (fields.has("tubes")) {
      List<String> ids = fields.texts("tubes", MOST_NAMED, Texts.ID, Texts.ID_WORDS);
      if (ids.isEmpty()) {
        throw ProblemException.field("tubes", "an empty list", "one tube at least");
      }
      return directory.all(call.caller(), ids);
    }
    String poolId = fields.text("pool", Texts.ID, Texts.ID_WORDS);
    PoolLimits pool = limits.pools().get(poolId);
    List<Destination> served =
        pool == null
            ? List.of()
            : directory.some(
                call.caller(), pool.all() ? reads.ids(MOST_IN_POOL) : pool.destinations());
    if (served.isEmpty()) {
      throw Call.notFound("pool with tubes", poolId);
    }
    return served;
  }

  private Answer answer(List<LeasedJob> jobs) {
    List<JobBody> bodies = new ArrayList<>(jobs.size());
    try {
      for (LeasedJob job : jobs) {
        bodies.add(JobBody.of(job, payload(job)));
      }
    } catch (LedgerException failure) {
      // Nobody will work on them: better back in line than lost when their leases run out.
      jobs.forEach(job ->
          tubes.end(
              new JobRef(job.lease().key(), job.lease().leaseNo()), new JobEnd.Released(), NOBODY));
      throw failure;
    }
    double lease = tubes.settings().lease().toMillis() / 1_000.0;
    double renew = tubes.settings().renewEvery().toMillis() / 1_000.0;
    return Answer.ok(new LeaseBody(bodies, lease, renew));
  }

  /** Small payloads came with the lease; large ones are read here, a bounded number at once. */
  private byte @Nullable [] payload(LeasedJob job) {
    byte[] inline = job.lease().content().body();
    if (inline != null) {
      return inline;
    }
    int kilobytes = Math.min(LARGE_KILOBYTES, job.lease().size() / 1_024 + 1);
    large.acquireUninterruptibly(kilobytes);
    try {
      return ledger.body(job.lease().key().shard(), job.lease().key().eventId()).orElse(null);
    } finally {
      large.release(kilobytes);
    }
  }

  private static final Reply<Optional<Settled.Applied>> NOBODY =
      new Reply<>() {
        @Override
        public void answer(Optional<Settled.Applied> answer) {}

        @Override
        public void fail(RuntimeException failure) {}
      };
}
