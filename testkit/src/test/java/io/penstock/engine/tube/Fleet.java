package io.penstock.engine.tube;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.testing.TestClock;
import io.penstock.budget.work.WorkBalance;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.host.Host;
import io.penstock.engine.host.Signal;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.wakeup.Wakeup;
import io.penstock.testkit.memory.MemoryLedger;
import io.penstock.testkit.memory.ThreadInterleave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Workers and tubes on the test clock: every step is one look of every worker, and a bit of time.
 */
final class Fleet {
  static final Duration STEP = Duration.ofMillis(500);
  private static final int SHARDS = 4;
  private static final Audit BY = new Audit("test", "");
  private static final BudgetSettings WIDE =
      new BudgetSettings(100_000, 100_000, 1_000, Duration.ofSeconds(15));

  final TestClock clock = new TestClock();
  final MemoryLedger ledger =
      new MemoryLedger(SHARDS, clock, new ThreadInterleave(() -> false), _ -> {}, Set.of());
  final List<Worker> workers = new ArrayList<>();
  final Map<String, Double> worked = new HashMap<>();
  final Map<String, Integer> ended = new HashMap<>();
  private final Map<String, DestinationLimits> limits = new HashMap<>();
  private final Map<String, Duration> lengths = new HashMap<>();
  private final LedgerTime time = new LedgerTime(this::nanos);
  private final Tubes tubes;
  private long events;

  /** What the leasing loop would have slept after its last step. */
  Duration nap = Duration.ZERO;

  Fleet() {
    StillHost host = new StillHost();
    time.observe(ledger.now());
    ledger.createTenant("acme", "Acme", BY);
    tubes =
        new Tubes(
            "node-1",
            ledger,
            time,
            host,
            id -> Objects.requireNonNull(limits.get(id)),
            TubeSettings.DEFAULT,
            new Deaf(),
            new GateKeeper(ledger, id -> Shard.of(id, SHARDS), () -> {}, NodeListener.NONE),
            NodeListener.NONE);
  }

  private long nanos() {
    return Duration.between(TestClock.START, clock.instant()).toNanos();
  }

  /** A tube whose jobs take so long; unmetered when there is no allotment. */
  void tube(String id, @Nullable Double allotment, Duration length, boolean lending) {
    tube(id, allotment, length, length, lending);
  }

  /** The same, whose jobs take another time than is expected of them. */
  void tube(
      String id, @Nullable Double allotment, Duration expected, Duration length, boolean lending) {
    limits.put(
        id,
        new DestinationLimits(
            WIDE,
            8,
            Duration.ofDays(3),
            DestinationLimits.OnUnknown.RETRY,
            DestinationLimits.DEFAULT.retry(),
            DestinationLimits.DEFAULT.outcomes(),
            new TubeLimits(allotment, null, expected, 0, lending, null, null, null),
            DestinationLimits.DEFAULT.backlog(),
            DestinationLimits.DEFAULT.redrive()));
    lengths.put(id, length);
    ledger.createDestination(
        new Destination(id, 0, "acme", Destination.Mode.PULL, "", List.of(), List.of(), id, 0),
        (_, _, now) -> BudgetState.initial(WIDE, 1, now),
        BY);
  }

  void arrive(String tube, int count) {
    for (int i = 0; i < count; i++) {
      long nth = ++events;
      UUID id =
          new UUID(
              (clock.instant().toEpochMilli() << 16) | 0x7000 | (nth >>> 12 & 0xfff),
              0x8000_0000_0000_0000L | nth);
      ledger.accept(
          List.of(
              new NewEvent(
                  id,
                  "acme",
                  "t",
                  "text/plain",
                  List.of(),
                  new byte[] {1},
                  Urgency.INTERACTIVE,
                  null,
                  List.of(tube))));
    }
    tubes.due(tube);
  }

  /** So many workers of a pool that serve these tubes. */
  void workers(int count, String pool, String... served) {
    for (int i = 0; i < count; i++) {
      workers.add(new Worker(pool + "-" + i, pool, List.of(served)));
    }
  }

  void run(Duration howLong) {
    for (long steps = howLong.dividedBy(STEP); steps > 0; steps--) {
      workers.forEach(Worker::step);
      nap = tubes.runAllOnce();
      clock.advance(STEP);
      time.observe(ledger.now());
    }
  }

  /** A worker says that what it has in hand failed. */
  void fail(Worker worker) {
    LeasedJob held = Objects.requireNonNull(worker.job);
    JobRef ref = new JobRef(held.lease().key(), held.lease().leaseNo());
    var outcome = new Outcome.Transient(0, "worker_said_so", Hint.NONE);
    tubes.end(ref, new JobEnd.Failed(outcome, new byte[0]), worker.ignored());
    worker.job = null;
  }

  /** Ends what ran out. */
  void recover() {
    var _ = tubes.recoverOnce();
  }

  WorkBalance account(String tube) {
    BudgetState state = ledger.inspect().budget(tube);
    var settings = Objects.requireNonNull(limits.get(tube)).tubeBudget();
    return Objects.requireNonNull(Budget.ask(state, settings, clock.instant()).state().work());
  }

  int running(String tube) {
    return ledger.inspect().budget(tube).inFlight();
  }

  double worked(String tube) {
    return worked.getOrDefault(tube, 0.0);
  }

  int ended(String tube) {
    return ended.getOrDefault(tube, 0);
  }

  /** Asks, works as long as the job takes, renews, ends. */
  final class Worker {
    final String name;
    private final String pool;
    private final List<Tube> served;
    @Nullable LeasedJob job;
    private Instant until = Instant.MAX;
    private Instant renewAt = Instant.MAX;
    private boolean waits;
    boolean dead;

    Worker(String name, String pool, List<String> served) {
      this.name = name;
      this.pool = pool;
      this.served = served.stream().map(id -> new Tube(id, Shard.of(id, SHARDS))).toList();
    }

    void step() {
      LeasedJob held = job;
      if (dead) {
        return;
      }
      if (held != null) {
        work(held);
      }
      if (job == null && !waits) {
        waits = true;
        tubes.lease(new LeaseRequest(name, pool, served, 1, Duration.ofSeconds(20)), leased());
      }
    }

    private void work(LeasedJob held) {
      Instant now = clock.instant();
      JobRef ref = new JobRef(held.lease().key(), held.lease().leaseNo());
      if (!now.isBefore(until)) {
        tubes.end(ref, new JobEnd.Completed(1, false, new byte[0]), ignored());
        String tube = held.lease().key().destinationId();
        worked.merge(tube, lengthOf(tube).toMillis() / 1e3, Double::sum);
        ended.merge(tube, 1, Integer::sum);
        job = null;
      } else if (!now.isBefore(renewAt)) {
        tubes.renew(ref, ignored());
        renewAt = now.plus(TubeSettings.DEFAULT.renewEvery());
      }
    }

    private Reply<List<LeasedJob>> leased() {
      return new Reply<>() {
        @Override
        public void answer(List<LeasedJob> jobs) {
          waits = false;
          if (!jobs.isEmpty()) {
            job = jobs.getFirst();
            Instant now = clock.instant();
            until = now.plus(lengthOf(jobs.getFirst().lease().key().destinationId()));
            renewAt = now.plus(TubeSettings.DEFAULT.renewEvery());
          }
        }

        @Override
        public void fail(RuntimeException failure) {
          throw failure;
        }
      };
    }

    private Duration lengthOf(String tube) {
      return Objects.requireNonNull(lengths.get(tube));
    }

    private <T> Reply<Optional<T>> ignored() {
      return new Reply<>() {
        @Override
        public void answer(Optional<T> answer) {}

        @Override
        public void fail(RuntimeException failure) {
          throw failure;
        }
      };
    }
  }

  private final class StillHost implements Host {
    private final Random random = new Random(7);

    @Override
    public long nanoTime() {
      return nanos();
    }

    @Override
    public RandomGenerator random() {
      return random;
    }

    @Override
    public Signal newSignal() {
      return new Signal() {
        @Override
        public long count() {
          return 0;
        }

        @Override
        public void raise() {}

        @Override
        public void awaitBeyond(long seen, Duration most) {}
      };
    }

    @Override
    public void start(String name, Runnable loop) {
      throw new AssertionError("nothing runs by itself here");
    }

    @Override
    public void after(Duration delay, Runnable task) {
      throw new AssertionError("nothing runs by itself here");
    }
  }

  private static final class Deaf implements Wakeup {
    @Override
    public void due(int shard, Collection<String> destinationIds) {}

    @Override
    public void gatesChanged() {}

    @Override
    public void listen(Listener listener) {}

    @Override
    public void close() {}
  }
}
