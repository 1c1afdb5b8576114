package io.penstock.testkit.node;

import static io.penstock.testkit.node.TestingTransport.OK;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.node.Node;
import io.penstock.engine.node.NodeSettings;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.send.Sender;
import io.penstock.engine.wakeup.Wakeup;
import io.penstock.testkit.memory.MemoryLedger;
import io.penstock.testkit.memory.ThreadInterleave;
import io.penstock.testkit.node.TestingTransport.Sent;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole node on the ledger in memory, with time running fast. */
@Timeout(60)
class NodeTest {
  private static final Audit BY = new Audit("test", "");
  private static final int SHARDS = 4;

  private final FastHost host = new FastHost();
  private final MemoryLedger ledger =
      new MemoryLedger(SHARDS, host, new ThreadInterleave(() -> false), _ -> {}, Set.of());
  private final TestingTransport transport = new TestingTransport();
  private DestinationLimits limits = DestinationLimits.DEFAULT;
  private final Node node = newNode();

  private Node newNode() {
    return new Node(
        ledger,
        transport,
        new Deaf(),
        id -> limits,
        host,
        new NodeSettings("node-1", 64, 1 << 20),
        NodeListener.NONE);
  }

  @AfterEach
  void stop() {
    node.stop(Duration.ofSeconds(5));
    host.close();
  }

  /** No hints between nodes. */
  private static final class Deaf implements Wakeup {
    @Override
    public void due(int shard, Collection<String> destinationIds) {}

    @Override
    public void gatesChanged() {}

    @Override
    public void rebuild() {}

    @Override
    public void listen(Listener listener) {}

    @Override
    public void close() {}
  }

  private void destination(String id) {
    ledger.createTenant("acme", "Acme", BY);
    ledger.createDestination(
        new Destination(
            id, 0, "acme", Destination.Mode.PUSH, "http://x/", List.of(), List.of(), id, 0),
        (_, _, now) -> BudgetState.initial(limits.budget(), 1, now),
        BY);
  }

  private NewEvent event(String destinationId) {
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

  private DeliveryKey post(String destinationId) {
    Acceptance answer = node.intake().accept(List.of(event(destinationId))).getFirst();
    assertThat(answer).isInstanceOf(Acceptance.Stored.class);
    return keyOf(destinationId, (Acceptance.Stored) answer);
  }

  private static DeliveryKey keyOf(String destinationId, Acceptance.Stored stored) {
    return new DeliveryKey(Shard.of(destinationId, SHARDS), destinationId, stored.eventId());
  }

  private DeliveryRow row(DeliveryKey key) {
    return ledger.inspect().delivery(key).orElseThrow();
  }

  /** Waits, by looking after each settle's worth of time, until the row is as wanted. */
  private DeliveryRow await(DeliveryKey key, Predicate<DeliveryRow> wanted) {
    var signal = host.newSignal();
    for (int looks = 0; looks < 5_000; looks++) {
      DeliveryRow row = row(key);
      if (wanted.test(row)) {
        return row;
      }
      signal.awaitBeyond(0, Duration.ofMillis(100));
    }
    throw new AssertionError("still " + row(key));
  }

  @Test
  void anAcceptedEventIsSentAndBooked() {
    node.start();
    destination("d");
    DeliveryKey key = post("d");
    Sent sent = transport.next();
    assertThat(row(key).state()).isEqualTo(DeliveryState.LEASED);
    sent.answer(OK);
    DeliveryRow done = await(key, row -> !row.hot());
    assertThat(done.state()).isEqualTo(DeliveryState.DELIVERED);
    assertThat(done.attempt()).isEqualTo(1);
    assertThat(ledger.inspect().attempts(key)).hasSize(1);
  }

  @Test
  void anAttemptWhoseThreadComesTooLateIsTakenBackAndSpendsNothing() {
    node.start();
    destination("d");
    AtomicInteger starts = new AtomicInteger();
    transport.beforeDeparture =
        () -> {
          if (starts.getAndIncrement() == 0) {
            host.newSignal().awaitBeyond(0, Sender.LATEST_START.plusMillis(50));
          }
        };
    DeliveryKey key = post("d");
    Sent sent = transport.next();
    assertThat(starts.get()).isGreaterThanOrEqualTo(2);
    assertThat(row(key).leaseNo()).isGreaterThanOrEqualTo(2);
    sent.answer(OK);
    assertThat(await(key, row -> !row.hot()).attempt()).isEqualTo(1);
    assertThat(ledger.inspect().attempts(key)).hasSize(1);
  }

  @Test
  void case30ADueRowWithoutAnyHintIsSentWithinAWalk() {
    node.start();
    destination("d");
    // Straight into the ledger: no node is told.
    ledger.accept(List.of(event("d")));
    long began = host.nanoTime();
    transport.next().answer(OK);
    // A random phase after the first round, then the interval; and slack for a busy machine.
    assertThat(Duration.ofNanos(host.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
  }

  @Test
  void aTransientFailureComesBackOnTheRetryLaneAndAThrottleKeepsItsPlace() {
    node.start();
    destination("d");
    DeliveryKey key = post("d");
    DeliveryRow before = row(key);
    transport.next().answer(new Outcome.Throttled(429, "throttled", Hint.NONE));
    Sent again = transport.next();
    DeliveryRow second = row(key);
    assertThat(second.lane()).isEqualTo(Lane.FIRST);
    assertThat(second.position()).isEqualTo(before.position());
    assertThat(second.attempt()).isZero();
    // Higher when the machine stood still: a send that would begin late is handed back, unsent.
    assertThat(second.leaseNo()).isGreaterThanOrEqualTo(2);
    again.answer(new Outcome.Transient(500, "server_error", Hint.NONE));
    Sent third = transport.next();
    assertThat(row(key).attempt()).isEqualTo(1);
    assertThat(row(key).lane()).isEqualTo(Lane.RETRY);
    third.answer(OK);
    assertThat(await(key, row -> !row.hot()).attempt()).isEqualTo(2);
  }

  @Test
  void case16And17APauseCoversRetriesAndFreshWorkAndKeepsEverything() {
    node.start();
    destination("d");
    DeliveryKey first = post("d");
    transport.next().answer(new Outcome.Transient(500, "server_error", Hint.NONE));
    await(first, row -> row.state() == DeliveryState.RETRYING);
    ledger.changeGate(
        new GateScope.OfDestination("d"),
        GateAction.PAUSE,
        BY,
        (_, state, _) -> requireNonNull(state));
    node.gatesChanged();
    DeliveryKey second = post("d");
    var signal = host.newSignal();
    signal.awaitBeyond(0, Duration.ofMinutes(1));
    assertThat(transport.isIdle()).isTrue();
    assertThat(row(first).state()).isEqualTo(DeliveryState.RETRYING);
    assertThat(row(second).state()).isEqualTo(DeliveryState.PENDING);
    ledger.changeGate(
        new GateScope.OfDestination("d"),
        GateAction.RESUME,
        BY,
        (_, state, now) -> Budget.reopen(requireNonNull(state), limits.budget(), now));
    node.gatesChanged();
    // Fresh work before retries, whatever came first.
    assertThat(transport.next().attempt().delivery().key()).isEqualTo(second);
    assertThat(transport.next().attempt().delivery().key()).isEqualTo(first);
  }

  @Test
  void aScheduleThatIsRebuiltFromTheLedgerLosesNothing() {
    node.start();
    destination("d");
    DeliveryKey retried = post("d");
    transport.next().answer(new Outcome.Transient(500, "server_error", Hint.NONE));
    await(retried, row -> row.state() == DeliveryState.RETRYING);
    destination("later");
    ledger.changeGate(
        new GateScope.OfDestination("later"),
        GateAction.PAUSE,
        BY,
        (_, state, _) -> requireNonNull(state));
    post("later");
    assertThat(node.rebuildSchedule().destinations()).isEqualTo(2);
    assertThat(transport.next().attempt().delivery().key()).isEqualTo(retried);
  }

  @Test
  void case18AResumedDestinationIsServedOldestFirstUnderItsBudget() {
    limits =
        new DestinationLimits(
            new BudgetSettings(5, 100, 32, Duration.ofSeconds(15)),
            8,
            Duration.ofDays(3),
            OnUnknown.RETRY);
    node.start();
    destination("d");
    ledger.changeGate(
        new GateScope.Everything(), GateAction.PAUSE, BY, (_, state, _) -> requireNonNull(state));
    node.gatesChanged();
    List<DeliveryKey> kept = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      kept.add(post("d"));
    }
    // Long enough for a full bucket of 100: none of it may go at once.
    host.newSignal().awaitBeyond(0, Duration.ofSeconds(30));
    ledger.changeGate(
        new GateScope.Everything(),
        GateAction.RESUME,
        BY,
        (_, state, now) -> Budget.reopen(requireNonNull(state), limits.budget(), now));
    node.gatesChanged();
    long began = host.nanoTime();
    List<DeliveryKey> sent = new ArrayList<>();
    List<DeliveryKey> sentAtOnce = new ArrayList<>();
    while (sent.size() < kept.size()) {
      Sent one = transport.next();
      sent.add(one.attempt().delivery().key());
      if (one.attempt().delivery().leaseNo() == 1) {
        sentAtOnce.add(sent.getLast());
      }
      one.answer(OK);
    }
    // What was handed back, because the machine stood still, may be overtaken; nothing else may.
    assertThat(sent).containsExactlyInAnyOrderElementsOf(kept);
    assertThat(sentAtOnce).isEqualTo(kept.stream().filter(sentAtOnce::contains).toList());
    // 30 at 5 a second from an empty bucket.
    assertThat((host.nanoTime() - began) / 1e9).isGreaterThan(5);
  }

  @Test
  void fourKindsOfAnswersInSequenceEndAsTheyShouldAndOnlyTheRejectedOneReachesTheShelf() {
    node.start();
    destination("d");
    DeliveryKey first = post("d");
    Duration hint = Duration.ofSeconds(5);
    transport.next().answer(new Outcome.Throttled(429, "throttled", new Hint(hint)));
    long throttled = host.nanoTime();
    Sent second = transport.next();
    // Not before the receiver said, and not later than a tenth more, the walk's round aside.
    assertThat(Duration.ofNanos(host.nanoTime() - throttled))
        .isBetween(hint.minusMillis(100), Duration.ofSeconds(30));
    assertThat(row(first).attempt()).isZero();
    second.answer(new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT));
    Sent third = transport.next();
    assertThat(row(first).attempt()).isEqualTo(1);
    third.answer(new Outcome.Rejected(400, "rejected"));
    DeliveryRow dead = await(first, row -> !row.hot());
    assertThat(dead.reason()).isEqualTo(Reason.REJECTED);
    assertThat(dead.attempt()).isEqualTo(2);

    DeliveryKey other = post("d");
    transport.next().answer(new Outcome.Transient(500, "server_error", Hint.NONE));
    transport.next().answer(OK);
    assertThat(await(other, row -> !row.hot()).state()).isEqualTo(DeliveryState.DELIVERED);
    assertThat(ledger.inspect().deadLetters("d"))
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.key()).isEqualTo(first);
          assertThat(letter.lastStatus()).isEqualTo(400);
        });
  }

  @Test
  void case24ALeaseWhoseWorkerIsSilentIsBackWithinOneLease() {
    limits =
        new DestinationLimits(
            new BudgetSettings(50, 200, 32, Duration.ofSeconds(15)),
            8,
            Duration.ofDays(3),
            OnUnknown.RETRY);
    node.start();
    destination("d");
    DeliveryKey key = post("d");
    Sent lost = transport.next(); // and never answers
    DeliveryRow back = await(key, row -> row.state() == DeliveryState.RETRYING);
    assertThat(back.attempt()).isEqualTo(1);
    Sent second = transport.next();
    // The late answer of the first is stale and changes nothing.
    lost.answer(OK);
    second.answer(new Outcome.Rejected(400, "rejected"));
    DeliveryRow dead = await(key, row -> !row.hot());
    assertThat(dead.state()).isEqualTo(DeliveryState.DEAD);
    assertThat(dead.reason()).isEqualTo(Reason.REJECTED);
    assertThat(ledger.inspect().deadLetters("d")).hasSize(1);
  }

  @Test
  void case29AStopWaitsForWhatIsInFlightAndTakesNothingOn() {
    node.start();
    destination("d");
    DeliveryKey key = post("d");
    Sent sent = transport.next();
    host.start(
        "answers-late",
        () -> {
          host.newSignal().awaitBeyond(0, Duration.ofSeconds(3));
          sent.answer(OK);
        });
    assertThat(node.stop(Duration.ofSeconds(20))).isZero();
    assertThat(row(key).state()).isEqualTo(DeliveryState.DELIVERED);
    DeliveryKey after = post("d");
    host.newSignal().awaitBeyond(0, Duration.ofSeconds(20));
    assertThat(row(after).state()).isEqualTo(DeliveryState.PENDING);
    assertThat(transport.isIdle()).isTrue();
  }

  @Test
  void manyDestinationsAllGetTheirTurnWhenSlotsAreFew() {
    node.start();
    for (int i = 0; i < 200; i++) {
      destination("d" + i);
    }
    for (int i = 0; i < 200; i++) {
      for (int n = 0; n < 2; n++) {
        post("d" + i);
      }
    }
    for (int i = 0; i < 400; i++) {
      transport.next().answer(OK);
    }
    assertThat(transport.isIdle()).isTrue();
  }

  @Test
  void case32WhatWaitsForADeletedDestinationEndsWithItsReason() {
    node.start();
    destination("d");
    ledger.changeGate(
        new GateScope.OfDestination("d"),
        GateAction.PAUSE,
        BY,
        (_, state, _) -> requireNonNull(state));
    DeliveryKey key = post("d");
    assertThat(ledger.deleteDestination("d", BY)).isTrue();
    node.gatesChanged();
    DeliveryRow dead = await(key, row -> !row.hot());
    assertThat(dead.reason()).isEqualTo(Reason.DESTINATION_DELETED);
    assertThat(ledger.inspect().deadLetters("d")).hasSize(1);
    assertThat(node.intake().accept(List.of(event("d"))).getFirst())
        .isEqualTo(new Acceptance.UnknownDestination("d"));
  }

  @Test
  void aDestinationThatIsGoneIsDisabledAndItsBacklogShelved() {
    limits =
        new DestinationLimits(
            BudgetSettings.DEFAULT.withSlots(1), 8, Duration.ofDays(3), OnUnknown.RETRY);
    node.start();
    destination("d");
    DeliveryKey first = post("d");
    Sent sent = transport.next();
    DeliveryKey second = post("d");
    sent.answer(new Outcome.Gone(410, "gone"));
    assertThat(await(first, row -> !row.hot()).reason()).isEqualTo(Reason.GONE);
    assertThat(await(second, row -> !row.hot()).reason()).isEqualTo(Reason.GONE);
    Acceptance.Stored later =
        (Acceptance.Stored) node.intake().accept(List.of(event("d"))).getFirst();
    assertThat(later.deliveries().getFirst().state()).isEqualTo(DeliveryState.DEAD);
    assertThat(transport.isIdle()).isTrue();
  }

  @Test
  void whatWasInFlightWhenItsDestinationWasDeletedIsShelvedWhenItComesBack() {
    node.start();
    destination("d");
    DeliveryKey key = post("d");
    Sent sent = transport.next();
    assertThat(ledger.deleteDestination("d", BY)).isTrue();
    node.gatesChanged();
    host.newSignal().awaitBeyond(0, Duration.ofSeconds(2));
    sent.answer(new Outcome.Transient(500, "server_error", Hint.NONE));
    assertThat(await(key, row -> !row.hot()).reason()).isEqualTo(Reason.DESTINATION_DELETED);
  }

  @Test
  void anAttemptThatFailsByOurOwnFaultKeepsItsPlaceAndRests() {
    node.start();
    destination("d");
    DeliveryKey key = post("d");
    Sent first = transport.next();
    long began = host.nanoTime();
    first.answer(new Outcome.Ours(0, "ledger"));
    Sent again = transport.next();
    assertThat(Duration.ofNanos(host.nanoTime() - began)).isGreaterThan(Duration.ofMillis(500));
    assertThat(row(key).attempt()).isZero();
    again.answer(OK);
    assertThat(await(key, row -> !row.hot()).attempt()).isEqualTo(1);
  }
}
