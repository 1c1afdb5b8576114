package io.penstock.gameday.sim;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.node.Node;
import io.penstock.engine.tube.JobEnd;
import io.penstock.engine.tube.LeaseRequest;
import io.penstock.engine.tube.LeasedJob;
import io.penstock.engine.tube.Reply;
import io.penstock.engine.tube.TubeSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One worker: leases, renews, completes, fails, hands back, forgets what it had, comes late, and
 * loses some of the answers that it gets. One simulated thread.
 */
final class SimWorker {
  private static final byte[] NO_BYTES = {};
  private static final long LATENCY_NANOS = 3_000_000;
  private static final long MOMENT_NANOS = 50_000_000;

  /** Beyond what a call should take; then the worker hangs up. */
  private static final Duration HANGS_UP = Duration.ofSeconds(3);

  /** Calls of an end, until somebody answers. */
  private static final int TRIES = 4;

  private static final int LOST_ANSWER_ONE_IN = 25;

  private final World world;
  private final SimWorkers workers;
  private final Baton baton;
  private final String name;
  private final RandomGenerator random;
  private final TubeSettings leasing;
  private final List<InHand> inHand = new ArrayList<>();

  SimWorker(World world, SimWorkers workers, String name, RandomGenerator random) {
    this.world = world;
    this.workers = workers;
    this.baton = world.baton;
    this.name = name;
    this.random = random;
    this.leasing = Objects.requireNonNull(world.plan.tubes().leasing());
  }

  /** A job, when it is to end and how; {@code end} null = the worker forgets that it had it. */
  private static final class InHand {
    final LeasedJob job;
    final @Nullable JobEnd end;
    final long endsAt;
    final boolean renews;
    long renewsAt;

    InHand(LeasedJob job, @Nullable JobEnd end, long endsAt, boolean renews, long renewsAt) {
      this.job = job;
      this.end = end;
      this.endsAt = endsAt;
      this.renews = renews;
      this.renewsAt = renewsAt;
    }

    JobRef ref() {
      return new JobRef(job.lease().key(), job.lease().leaseNo());
    }

    long next() {
      return renews ? Math.min(endsAt, renewsAt) : endsAt;
    }
  }

  void live() {
    while (true) {
      lease();
      while (!inHand.isEmpty()) {
        work();
      }
      baton.sleep(1 + random.nextLong(MOMENT_NANOS));
    }
  }

  // ---- calls

  /** An answer on its way; null in it = the node could not answer. */
  private final class Answer<T> implements Reply<T> {
    private boolean came;
    private @Nullable T value;

    @Override
    public void answer(T answer) {
      came = true;
      value = answer;
      baton.changed(this);
    }

    @Override
    public void fail(RuntimeException failure) {
      came = true;
      baton.changed(this);
    }
  }

  /** Calls some node; null when no answer came. */
  private <T> @Nullable T call(BiConsumer<Node, Reply<T>> what, Duration patience) {
    Node node = workers.node(random);
    baton.sleep(1 + random.nextLong(LATENCY_NANOS));
    if (node == null) {
      baton.sleep(MOMENT_NANOS);
      return null;
    }
    Answer<T> answer = new Answer<>();
    what.accept(node, answer);
    baton.await(answer, () -> answer.came, patience.toNanos());
    baton.sleep(1 + random.nextLong(LATENCY_NANOS));
    boolean lost = !workers.isCalm() && random.nextInt(LOST_ANSWER_ONE_IN) == 0;
    return lost ? null : answer.value;
  }

  private void lease() {
    Duration patience = Duration.ofMillis(random.nextInt(4) == 0 ? 0 : random.nextInt(3_000));
    LeaseRequest request =
        new LeaseRequest(
            name,
            random.nextBoolean() ? "pool" : null,
            workers.served(random),
            1 + random.nextInt(3) / 2,
            patience);
    List<LeasedJob> jobs =
        call((node, reply) -> node.tubes().lease(request, reply), patience.plus(HANGS_UP));
    if (jobs != null) {
      jobs.forEach(this::take);
    }
  }

  // ---- work

  private void take(LeasedJob job) {
    long now = baton.now();
    long renews = now + leasing.renewEvery().toNanos();
    world.tell(name, "has " + Model.name(job.lease()));
    if (workers.isCalm()) {
      JobEnd done = new JobEnd.Completed(1, false, NO_BYTES);
      inHand.add(new InHand(job, done, now + random.nextLong(200_000_000), true, renews));
      return;
    }
    int fate = random.nextInt(100);
    boolean late = fate >= 90;
    long takes = late ? leasing.lease().toNanos() + random.nextLong(lengths(2)) : takes();
    JobEnd end = fate >= 85 && fate < 90 ? null : end(random.nextInt(100));
    inHand.add(new InHand(job, end, now + takes, !late, renews));
  }

  private long lengths(int leases) {
    return leases * leasing.lease().toNanos();
  }

  private long takes() {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextLong(50_000_000);
      case 1, 2, 3 -> random.nextLong(2_000_000_000L);
      default -> random.nextLong(lengths(3));
    };
  }

  private JobEnd end(int how) {
    if (how < 60) {
      return new JobEnd.Completed(random.nextInt(3) - 1, random.nextInt(8) == 0, NO_BYTES);
    }
    if (how < 75) {
      return new JobEnd.Released();
    }
    Hint hint = random.nextBoolean() ? Hint.NONE : new Hint(Duration.ofMillis(1_500));
    Outcome outcome =
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> new Outcome.Transient(0, "worker_said_so", hint);
          case 3, 4 -> new Outcome.Throttled(429, "worker_said_so", hint);
          case 5 -> new Outcome.Unknown(0, "worker_said_so");
          case 6 -> new Outcome.Rejected(400, "worker_said_so");
          default -> new Outcome.Unauthorised(401, "worker_said_so");
        };
    return new JobEnd.Failed(outcome, NO_BYTES);
  }

  /** Waits for what is next, and does it. */
  private void work() {
    long next = inHand.stream().mapToLong(InHand::next).min().orElseThrow();
    if (next > baton.now()) {
      baton.sleep(next - baton.now());
    }
    for (Iterator<InHand> all = inHand.iterator(); all.hasNext(); ) {
      InHand one = all.next();
      if (one.endsAt <= baton.now()) {
        all.remove();
        end(one);
      } else if (one.renews && one.renewsAt <= baton.now() && !renew(one)) {
        all.remove();
      }
    }
  }

  private boolean renew(InHand one) {
    long began = baton.now();
    Optional<Instant> until = call((node, reply) -> node.tubes().renew(one.ref(), reply), HANGS_UP);
    one.renewsAt = baton.now() + leasing.renewEvery().toNanos();
    if (until == null) {
      return true;
    }
    world.auditor.tubes().renewed(name, one.ref(), until.isPresent(), began);
    return until.isPresent();
  }

  private void end(InHand one) {
    JobEnd end = one.end;
    if (end == null) {
      world.tell(name, "forgets " + Model.name(one.job.lease()));
      return;
    }
    switch (end) {
      case JobEnd.Completed _ ->
          world.auditor.ends(one.job.lease(), new Outcome.Delivered(0, "completed", Hint.NONE));
      case JobEnd.Failed failed -> world.auditor.ends(one.job.lease(), failed.outcome());
      case JobEnd.Released _ -> {
        world.tell(name, "hands back " + Model.name(one.job.lease()));
        world.auditor.tubes().tells(one.job.lease());
      }
      case JobEnd.Lost _ -> throw new IllegalStateException("a worker loses nothing by a call");
    }
    for (int i = 0; i < TRIES; i++) {
      Optional<Settled.Applied> applied =
          call((node, reply) -> node.tubes().end(one.ref(), end, reply), HANGS_UP);
      if (applied != null) {
        world.auditor.tubes().ended(name, one.ref(), applied.isPresent());
        return;
      }
    }
  }
}
