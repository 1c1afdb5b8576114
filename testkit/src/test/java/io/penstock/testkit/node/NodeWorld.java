package io.penstock.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.node.Node;
import io.penstock.engine.node.NodeSettings;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.wakeup.Wakeup;
import io.penstock.testkit.memory.MemoryLedger;
import io.penstock.testkit.memory.ThreadInterleave;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A node on the ledger in memory with limits for each destination, and counts of what it does. */
final class NodeWorld implements AutoCloseable {
  static final Audit BY = new Audit("test", "");

  final FastHost host = new FastHost();
  final MemoryLedger ledger;
  final TestingTransport transport = new TestingTransport();
  final Node node;
  final AtomicInteger claims = new AtomicInteger();
  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger mostInFlight = new AtomicInteger();
  final List<Duration> rests = new ArrayList<>();
  private final int shards;
  private final Map<String, DestinationLimits> limits = new ConcurrentHashMap<>();

  NodeWorld(int shards, int slots) {
    this(shards, slots, its -> its);
  }

  /** A world whose node sees its ledger through something. */
  NodeWorld(int shards, int slots, UnaryOperator<Ledger> through) {
    this.shards = shards;
    ledger = new MemoryLedger(shards, host, new ThreadInterleave(() -> false), _ -> {}, Set.of());
    node =
        new Node(
            through.apply(ledger),
            transport,
            new Deaf(),
            id -> limits.getOrDefault(id, DestinationLimits.DEFAULT),
            host,
            new NodeSettings("node-1", slots, 1 << 20),
            new Counting());
    ledger.createTenant("acme", "Acme", BY);
  }

  private final class Counting implements NodeListener {
    @Override
    public void claimed(int destinations, Claim claim, Duration took) {
      claims.incrementAndGet();
      asked.addAndGet(destinations);
      mostInFlight.accumulateAndGet(node.inFlight(), Math::max);
    }

    @Override
    public void rests(Duration howLong, String detail) {
      synchronized (rests) {
        rests.add(howLong);
      }
    }
  }

  /** No hints between nodes. */
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

  static DestinationLimits limits(io.penstock.budget.BudgetSettings budget) {
    return new DestinationLimits(budget, 8, Duration.ofDays(3), OnUnknown.RETRY);
  }

  void destination(String id, DestinationLimits its) {
    destination(id, its, (_, _, now) -> BudgetState.initial(its.budget(), 1, now));
  }

  void destination(String id, DestinationLimits its, BudgetRule budget) {
    limits.put(id, its);
    String url = "http://" + id + ".example/";
    ledger.createDestination(
        new Destination(id, 0, "acme", Destination.Mode.PUSH, url, List.of(), List.of(), id, 0),
        budget,
        BY);
  }

  /** A destination whose budget others may share. */
  void sharing(String id, String budgetId, DestinationLimits its) {
    limits.put(id, its);
    String url = "http://" + id + ".example/";
    ledger.createDestination(
        new Destination(
            id, 0, "acme", Destination.Mode.PUSH, url, List.of(), List.of(), budgetId, 0),
        (_, _, now) -> BudgetState.initial(its.budget(), 1, now),
        BY);
  }

  NewEvent event(String destinationId) {
    return new NewEvent(
        node.intake().newEventId(),
        "acme",
        "t",
        "text/plain",
        List.of(),
        new byte[] {1},
        Urgency.INTERACTIVE,
        null,
        List.of(destinationId));
  }

  /** So many events for one destination, in one call. */
  List<DeliveryKey> post(String destinationId, int count) {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(event(destinationId));
    }
    List<DeliveryKey> keys = new ArrayList<>();
    for (Acceptance answer : node.intake().accept(events)) {
      assertThat(answer).isInstanceOf(Acceptance.Stored.class);
      Acceptance.Stored stored = (Acceptance.Stored) answer;
      keys.add(new DeliveryKey(Shard.of(destinationId, shards), destinationId, stored.eventId()));
    }
    return keys;
  }

  DeliveryRow row(DeliveryKey key) {
    return ledger.inspect().delivery(key).orElseThrow();
  }

  /** Lets the node's time pass. */
  void pass(Duration time) {
    host.newSignal().awaitBeyond(0, time);
  }

  /** Looks again and again, each time after a tenth of a second of the node's time. */
  void await(BooleanSupplier wanted) {
    for (int looks = 0; looks < 5_000; looks++) {
      if (wanted.getAsBoolean()) {
        return;
      }
      pass(Duration.ofMillis(100));
    }
    throw new AssertionError("it never came to pass");
  }

  @Override
  public void close() {
    node.stop(Duration.ofSeconds(5));
    host.close();
  }
}
