package io.penstock.gameday.sim;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Backoff;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.limits.RetryPolicy;
import io.penstock.engine.node.Node;
import io.penstock.engine.node.NodeSettings;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.engine.transport.Transport;
import io.penstock.engine.wakeup.Wakeup;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.ledger.PlantedSql;
import io.penstock.postgres.ledger.SqlInspection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A world in real time: several nodes with threads and connections of their own overlap on one
 * Postgres, while receivers, operators, stops and kills come as a seed says. What overlaps with
 * what the seed does not say: a broken promise is told as it was seen, and cannot be replayed.
 */
final class OverlappingWorld implements AutoCloseable {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), 2, Duration.ofSeconds(2));

  /** Longer than any park, back-off and lease, and than nodes distrust a clock that jumped. */
  private static final Duration LIVENESS_BOUND = Duration.ofMinutes(15);

  /** Claim, settle and the rest of a node, and its callers. */
  private static final int CONNECTIONS = 6;

  /**
   * A node goes on after this even if what it had sent was not leased again. A lease lasts two
   * seconds; a node that stood still for five takes it for a jump of the ledger's clock and
   * recovers no leases for minutes.
   */
  private static final Duration LONGEST_STOP = Duration.ofMillis(4_300);

  private final Random random;
  private final FastHost host = new FastHost();
  private final OverlapAudit audit = new OverlapAudit();
  private final DatabaseSettings database;
  private final PlantedSql planted;
  private final Pool pool;
  private final WatchedLedger theirs;
  private final OverlapPeople people;
  private final Ledger ledger;
  private final SqlInspection rows;
  private final Map<String, DestinationLimits> limits = new LinkedHashMap<>();
  private final Map<String, Behaviour.Receiver> receivers = new LinkedHashMap<>();
  private final List<Member> members = new CopyOnWriteArrayList<>();
  private final CountDownLatch faultsOver = new CountDownLatch(1);
  private final Set<String> stopWhenSent = ConcurrentHashMap.newKeySet();
  private final AtomicInteger unfinished = new AtomicInteger();
  private int events;

  /** A node and what it runs on. */
  record Member(String name, Node node, WatchedLedger ledger, Pool pool, Ear ear) {}

  OverlappingWorld(long seed, DatabaseSettings database, int shards, PlantedSql planted) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.database =
        new DatabaseSettings(
            database.url(),
            database.directUrl(),
            database.user(),
            database.password(),
            CONNECTIONS,
            false);
    this.planted = planted;
    this.pool = open();
    this.theirs = new WatchedLedger(planted.ledger(pool), "people", audit);
    this.ledger = theirs.proxy();
    this.rows = new SqlInspection(pool);
    this.people = new OverlapPeople(this, ledger, rows, audit);
    Plan.TENANTS.forEach(tenant -> ledger.createTenant(tenant, tenant, World.OPERATOR));
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      destination("dst_" + (char) ('a' + i), seed);
    }
    int nodes = 3 + random.nextInt(3);
    for (int i = 0; i < nodes; i++) {
      join("node-" + i);
    }
    if (shards != ledger.shards()) {
      throw new IllegalStateException("wanted %d shards".formatted(shards));
    }
  }

  private Pool open() {
    return Pool.open(database, databaseTime -> host.now());
  }

  private BudgetSettings settings() {
    double rate = List.of(20.0, 100.0, 400.0).get(random.nextInt(3));
    int slots = 1 + random.nextInt(random.nextBoolean() ? 3 : 16);
    return new BudgetSettings(rate, 1 + random.nextInt(50), slots, Duration.ofSeconds(1));
  }

  private void destination(String id, long seed) {
    Duration age = random.nextInt(3) == 0 ? Duration.ofSeconds(8) : Duration.ofDays(3);
    limits.put(
        id,
        new DestinationLimits(settings(), 6, age, OnUnknown.RETRY).with(RetryPolicy.of(BACKOFF)));
    audit.slotsAre(id, limitsOf(id).budget().slots());
    receivers.put(id, new Behaviour.Receiver(new Random(seed ^ id.hashCode())));
    Destination wanted =
        new Destination(
            id,
            0,
            Plan.tenantOf(id),
            Destination.Mode.PUSH,
            "http://receiver/" + id,
            List.of(),
            List.of(),
            id,
            1);
    BudgetRule initial = (_, _, now) -> BudgetState.initial(limitsOf(id).budget(), seed, now);
    if (ledger.createDestination(wanted, initial, World.OPERATOR).isEmpty()) {
      throw new IllegalStateException("destination " + id + " is taken");
    }
  }

  private DestinationLimits limitsOf(String id) {
    return Objects.requireNonNull(limits.get(id));
  }

  BudgetSettings settingsOf(String id) {
    return limitsOf(id).budget();
  }

  private String someDestination() {
    return "dst_" + (char) ('a' + random.nextInt(limits.size()));
  }

  // ---- nodes

  private void join(String name) {
    Pool its = open();
    WatchedLedger watched = new WatchedLedger(planted.ledger(its), name, audit);
    Ear ear = new Ear();
    Node node =
        new Node(
            watched.proxy(),
            new Receivers(watched),
            ear,
            this::limitsOf,
            host,
            new NodeSettings(name, 100, 1 << 20),
            NodeListener.NONE);
    node.start();
    members.add(new Member(name, node, watched, its, ear));
  }

  List<Node> nodes() {
    return members.stream().map(Member::node).toList();
  }

  Set<String> destinations() {
    return limits.keySet();
  }

  @Nullable Member someNode(int from) {
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get((from + i) % members.size());
      if (!member.ledger.isDead()) {
        return member;
      }
    }
    return null;
  }

  /** Hints go straight to the others; they are not what is tested here. */
  private final class Ear implements Wakeup {
    private volatile @Nullable Listener listener;

    @Override
    public void due(int shard, Collection<String> destinationIds) {
      for (Member member : members) {
        Listener other = member.ear.listener;
        if (member.ear != this && other != null) {
          other.due(shard, destinationIds);
        }
      }
    }

    @Override
    public void gatesChanged() {
      members.forEach(member -> Objects.requireNonNull(member.ear.listener).gatesChanged());
    }

    @Override
    public void listen(Listener wanted) {
      listener = wanted;
    }

    @Override
    public void close() {}
  }

  private final class Receivers implements Transport {
    private final WatchedLedger node;

    Receivers(WatchedLedger node) {
      this.node = node;
    }

    @Override
    public void start(Attempt attempt, Completion completion) {
      if (!attempt.departure().mayGo()) {
        return;
      }
      DeliveryKey key = attempt.delivery().key();
      String id = key.destinationId();
      if (stopWhenSent.remove(id)) {
        become(id, new Behaviour.Drips(Duration.ofMillis(900)));
        audit.whenLeasedAgain(key, stop(node, LONGEST_STOP));
      }
      Behaviour.Receiver receiver = Objects.requireNonNull(receivers.get(id));
      Behaviour.Answer answer;
      synchronized (receiver) {
        answer = receiver.answer(host.nanoTime());
      }
      if (answer.outcome() instanceof Outcome.Delivered) {
        audit.arrived(key);
      }
      boolean late = answer.after().compareTo(attempt.deadline()) > 0;
      Duration after = late ? attempt.deadline() : answer.after();
      Outcome outcome = late ? new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT) : answer.outcome();
      host.after(
          after,
          () -> {
            if (!node.isDead()) {
              completion.ended(new AttemptResult(outcome, after, new byte[0], "192.0.2.1"));
            }
          });
    }
  }

  // ---- what happens

  /** Runs the world to its end; the promise that broke, or null. */
  @Nullable BrokenPromise run() throws InterruptedException {
    Duration faults = Duration.ofMillis(5_000 + random.nextInt(6_000));
    for (String id : limits.keySet()) {
      traffic(id, faults);
    }
    for (int i = 0; i < 14; i++) {
      at(randomWithin(faults), disturbance());
    }
    host.after(faults, faultsOver::countDown);
    faultsOver.await();
    calm();
    Instant bound = host.now().plus(LIVENESS_BOUND);
    CountDownLatch never = new CountDownLatch(1);
    int looks = 0;
    while (audit.found() == null && somethingIsLeft()) {
      if (host.now().isAfter(bound)) {
        audit.broken("without faults everything ends", "", left());
      }
      if (looks++ % 25 == 0) {
        people.reopenEverything();
      }
      var _ = never.await(20, TimeUnit.MILLISECONDS);
    }
    stopAll();
    if (audit.found() == null) {
      audit.finish(rows);
    }
    return audit.found();
  }

  OverlapAudit audit() {
    return audit;
  }

  private Duration randomWithin(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos()));
  }

  /** Everybody's threads are their own, so that nobody waits for another's call. */
  void at(Duration when, Runnable act) {
    unfinished.incrementAndGet();
    host.after(
        when,
        () ->
            Thread.ofVirtual()
                .start(() -> {
                  try {
                    OverlapPeople.tried(act);
                  } finally {
                    unfinished.decrementAndGet();
                  }
                }));
  }

  private void traffic(String id, Duration until) {
    Duration when = Duration.ZERO;
    while (when.compareTo(until) < 0) {
      int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 40 : 6);
      Urgency urgency = random.nextInt(4) == 0 ? Urgency.BATCH : Urgency.INTERACTIVE;
      int from = random.nextInt(8);
      List<Long> numbers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        numbers.add((long) ++events);
      }
      at(when, () -> people.post(id, numbers, urgency, from));
      when = when.plusMillis(20 + random.nextInt(400));
    }
    for (int i = 0; i < 4; i++) {
      Behaviour behaviour = behaviour();
      at(randomWithin(until), () -> become(id, behaviour));
    }
  }

  private void become(String id, Behaviour behaviour) {
    Behaviour.Receiver receiver = Objects.requireNonNull(receivers.get(id));
    synchronized (receiver) {
      receiver.become(behaviour);
    }
    audit.tell("receiver", id, "becomes " + behaviour);
  }

  private Behaviour behaviour() {
    return switch (random.nextInt(7)) {
      case 0 -> new Behaviour.Bucket(5 + random.nextInt(20), 4, Behaviour.Lie.NOTHING);
      case 1 -> new Behaviour.Hangs();
      case 2 -> new Behaviour.Resets();
      case 3 -> new Behaviour.Drips(Duration.ofMillis(900));
      case 4 -> new Behaviour.BrownOut(0.5, 503);
      default -> new Behaviour.Healthy();
    };
  }

  private Runnable disturbance() {
    String id = someDestination();
    int node = random.nextInt(8);
    int most = 1 + random.nextInt(15);
    // About as long as a lease.
    Duration during = Duration.ofMillis(500 + random.nextInt(3_500));
    return switch (random.nextInt(12)) {
      case 0, 1 -> () -> stop(node, during);
      case 2, 9, 10, 11 -> () -> stopWhenSent.add(id);
      case 3 -> () -> kill(node);
      case 4 -> () -> people.pauseFor(new GateScope.OfDestination(id), during);
      case 5 -> () -> people.pauseFor(new GateScope.OfTenant(Plan.tenantOf(id)), during);
      case 6, 7 -> () -> people.cancel(id, most);
      default -> () -> people.again(id, most);
    };
  }

  private void stop(int from, Duration during) {
    Member member = someNode(from);
    if (member != null) {
      var _ = stop(member.ledger, during);
    }
  }

  private CompletableFuture<Void> stop(WatchedLedger node, Duration most) {
    audit.tell(node.name(), "", "is stopped for at most " + most);
    CompletableFuture<Void> goesOn = node.stop();
    host.after(most, () -> goesOn.complete(null));
    return goesOn;
  }

  private void kill(int from) {
    Member member = someNode(from);
    if (member != null) {
      audit.tell(member.name, "", "is killed");
      member.ledger.die();
      at(Duration.ofMillis(500), () -> join(member.name + "'"));
    }
  }

  // ---- calm

  private void calm() {
    audit.tell("world", "", "calms down");
    limits.keySet().forEach(id -> become(id, new Behaviour.Healthy()));
    for (Member member : members) {
      if (!member.ledger.isDead()) {
        member.ledger.stop().complete(null);
      }
    }
  }

  /** A deed that was late on a busy machine may still bring something. */
  private boolean somethingIsLeft() {
    return unfinished.get() > 0
        || pool.read(
            Pool.Use.CALLER,
            handle ->
                handle
                    .createQuery("select exists (select from penstock.delivery)")
                    .mapTo(Boolean.class)
                    .one());
  }

  private String left() {
    return pool.read(
        Pool.Use.CALLER,
        handle ->
            handle
                .createQuery(
                    "select count(*) || ' left, one: ' || min(d::text) from penstock.delivery d")
                .mapTo(String.class)
                .one());
  }

  private void stopAll() {
    List<Thread> stopping = new ArrayList<>();
    for (Member member : members) {
      stopping.add(Thread.ofVirtual().start(() -> member.node.stop(Duration.ofSeconds(2))));
    }
    for (Thread one : stopping) {
      try {
        one.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    members.forEach(member -> {
      member.ledger.die();
      member.pool.close();
    });
    theirs.die();
    pool.close();
    host.close();
  }
}
