package io.penstock.testkit.forecast;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.testing.TestClock;
import io.penstock.engine.claim.Claimer;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.host.Host;
import io.penstock.engine.host.Signal;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.schedule.DueHeap;
import io.penstock.engine.send.NodeRest;
import io.penstock.engine.send.NodeSlots;
import io.penstock.engine.send.Sending;
import io.penstock.engine.settle.Settler;
import io.penstock.testkit.memory.MemoryLedger;
import io.penstock.testkit.memory.ThreadInterleave;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The claimer and the settler of one shard on the ledger in memory, driven by hand on the test
 * clock: one destination, a receiver that answers after some time. One thread.
 */
final class TestingWorld implements Host {
  static final String DESTINATION = "d";
  private static final Audit BY = new Audit("test", "");

  final TestClock clock;
  final MemoryLedger ledger;
  private final Duration trip;
  private final Random chance;
  private final DueHeap heap = new DueHeap(() -> {});
  private final Settler settler;
  private final Claimer claimer;
  private final PriorityQueue<Answer> answers =
      new PriorityQueue<>(Comparator.comparing(Answer::at));
  private final Map<UUID, Instant> claimed = new HashMap<>();
  private final Set<UUID> waiting = new HashSet<>();
  private long events;

  /** How many of the next answers are 429. */
  private int refusals;

  private record Answer(Instant at, Settlement settlement, boolean refused) {}

  TestingWorld(TestClock clock, DestinationLimits limits, Duration trip, long seed) {
    this.clock = clock;
    this.trip = trip;
    this.chance = new Random(seed);
    ledger = new MemoryLedger(1, clock, new ThreadInterleave(() -> false), _ -> {}, Set.of());
    LedgerTime time = new LedgerTime(clock::nanos);
    time.observe(ledger.now());
    NodeSlots slots = new NodeSlots(100_000, 1);
    GateKeeper keeper = new GateKeeper(ledger, _ -> 0, () -> {}, NodeListener.NONE);
    settler =
        new Settler(
            0,
            ledger,
            heap,
            time,
            this,
            _ -> limits,
            () -> {},
            _ -> {},
            () -> slots.giveBack(1),
            keeper::gone,
            NodeListener.NONE);
    claimer =
        new Claimer(
            0,
            "node",
            ledger,
            heap,
            time,
            this,
            _ -> limits,
            slots,
            () -> {},
            new NodeRest(this, NodeListener.NONE),
            this::send,
            keeper,
            _ -> {},
            NodeListener.NONE);
    ledger.createTenant("acme", "Acme", BY);
    ledger.createDestination(
        new Destination(
            DESTINATION,
            0,
            "acme",
            Destination.Mode.PUSH,
            "http://x/",
            List.of(),
            List.of(),
            DESTINATION,
            0),
        (_, _, now) -> BudgetState.initial(limits.budget(), seed, now),
        BY);
  }

  /** Accepts one delivery and gives its event id. */
  UUID post() {
    long nth = ++events;
    long millis = clock.instant().toEpochMilli();
    UUID id =
        new UUID((millis << 16) | 0x7000 | (nth >>> 12 & 0xfff), 0x8000_0000_0000_0000L | nth);
    var _ =
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
                    List.of(DESTINATION))));
    heap.dueNow(DESTINATION, clock.instant());
    waiting.add(id);
    return id;
  }

  void refuseNext(int count) {
    refusals = count;
  }

  BudgetState budget() {
    return ledger.inspect().budget(DESTINATION);
  }

  /** When it was claimed last. */
  Instant claimedAt(UUID event) {
    Instant at = claimed.get(event);
    if (at == null) {
      throw new AssertionError(event + " was never claimed");
    }
    return at;
  }

  /** How many wait. */
  int waiting() {
    return waiting.size();
  }

  boolean isIdle() {
    return answers.isEmpty() && ledger.walk(0, null, 1).isEmpty();
  }

  /** Runs until nothing waits and nothing is in flight, or the time has come. */
  void runUntil(Instant end) {
    while (!isIdle() && clock.instant().isBefore(end)) {
      while (!answers.isEmpty() && !answers.peek().at().isAfter(clock.instant())) {
        Answer answer = answers.poll();
        if (answer.refused()) {
          waiting.add(answer.settlement().lease().key().eventId());
        }
        settler.offer(answer.settlement());
      }
      settler.runAllOnce();
      Duration nap = claimer.runOnce();
      if (nap.isPositive()) {
        Instant next = clock.instant().plus(nap);
        Answer answer = answers.peek();
        clock.set(answer != null && answer.at().isBefore(next) ? answer.at() : next);
      }
    }
  }

  private void send(List<Sending> sendings) {
    for (Sending one : sendings) {
      claimed.put(one.delivery().key().eventId(), clock.instant());
      waiting.remove(one.delivery().key().eventId());
      boolean refused = refusals-- > 0;
      Outcome outcome =
          refused
              ? new Outcome.Throttled(429, "throttled", Hint.NONE)
              : new Outcome.Delivered(200, "ok", Hint.NONE);
      // From half to half as much again of the mean.
      Duration took = trip.dividedBy(2).plusNanos((long) (chance.nextDouble() * trip.toNanos()));
      answers.add(
          new Answer(
              clock.instant().plus(one.after()).plus(took),
              new Settlement(
                  one.delivery(), new Feedback.Ended(one.stamp(), outcome, took), null, null),
              refused));
    }
  }

  @Override
  public long nanoTime() {
    return clock.nanos();
  }

  @Override
  public RandomGenerator random() {
    return chance;
  }

  @Override
  public Signal newSignal() {
    throw new UnsupportedOperationException("nothing waits here");
  }

  @Override
  public void start(String name, Runnable loop) {
    throw new UnsupportedOperationException("no loop is started here");
  }

  @Override
  public void after(Duration delay, Runnable task) {
    throw new UnsupportedOperationException("no timer is set here");
  }
}
