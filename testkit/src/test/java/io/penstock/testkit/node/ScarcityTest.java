package io.penstock.testkit.node;

import static io.penstock.testkit.node.NodeWorld.BY;
import static io.penstock.testkit.node.NodeWorld.limits;
import static io.penstock.testkit.node.TestingTransport.OK;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.AdaptiveSettings;
import io.penstock.budget.AutoDisable;
import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.testkit.node.TestingTransport.Sent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many destinations on one node: who may go, and what those cost that may not. */
@Timeout(60)
class ScarcityTest {
  private static final BudgetSettings WIDE =
      new BudgetSettings(100_000, 100_000, 10_000, Duration.ofSeconds(15));

  @Test
  @DisplayName("case 2: one delivery is served at once beside a backlog that hangs on a full node")
  void case02ADestinationWithOneDeliveryIsServedPromptlyBesideOneWithManyThatHang() {
    try (NodeWorld w = new NodeWorld(1, 40)) {
      w.destination("backlog", limits(WIDE));
      w.destination("single", limits(WIDE));
      w.node.start();
      w.post("backlog", 5_000);
      for (int i = 0; i < 36; i++) {
        assertThat(w.transport.next().destinationId()).isEqualTo("backlog");
      }
      w.pass(Duration.ofSeconds(1));
      if (!w.transport.isIdle()) {
        w.transport.next(); // its first had nothing in flight, and took a slot that is kept
      }
      assertThat(w.transport.isIdle()).as("a tenth of the slots is kept").isTrue();
      int claims = w.claims.get();
      w.pass(Duration.ofSeconds(2));
      assertThat(w.claims.get() - claims).as("a full node does not spin").isLessThan(5);
      // Nothing has been answered, and yet:
      long began = w.host.nanoTime();
      w.post("single", 1);
      assertThat(w.transport.next().destinationId()).isEqualTo("single");
      assertThat(Duration.ofNanos(w.host.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void theLimitOfANodeHoldsOverAllItsShards() {
    try (NodeWorld w = new NodeWorld(4, 10)) {
      for (int i = 0; i < 40; i++) {
        w.destination("d" + i, limits(WIDE));
      }
      w.node.start();
      for (int i = 0; i < 40; i++) {
        w.post("d" + i, 3);
      }
      List<Sent> open = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        open.add(w.transport.next());
      }
      w.pass(Duration.ofSeconds(2));
      assertThat(w.transport.isIdle()).isTrue();
      assertThat(w.node.inFlight()).isEqualTo(10);
      for (int answered = 0; answered < 120; answered++) {
        open.removeFirst().answer(OK);
        if (answered < 110) {
          open.add(w.transport.next());
        }
        assertThat(w.node.inFlight()).isLessThanOrEqualTo(10);
      }
      assertThat(open).isEmpty();
    }
  }

  @Test
  void tenThousandThatMayNotGoCostNoClaim() {
    int each = 2_500;
    try (NodeWorld w = new NodeWorld(1, 512)) {
      BudgetSettings rare = new BudgetSettings(0.0001, 1, 32, Duration.ofSeconds(15));
      for (int i = 0; i < each; i++) {
        w.destination("paused" + i, limits(WIDE));
        close("paused" + i, GateAction.PAUSE, w);
        w.destination("held" + i, limits(WIDE));
        close("held" + i, GateAction.HOLD, w);
        w.destination("parked" + i, limits(WIDE), parked());
        w.destination("dry" + i, limits(rare), dry(rare));
      }
      w.destination("active", limits(WIDE));
      w.node.start();
      for (int i = 0; i < each; i++) {
        for (String kind : List.of("paused", "held", "parked", "dry")) {
          w.post(kind + i, 1);
        }
      }
      w.await(() -> w.asked.get() >= 4 * each);
      w.pass(Duration.ofSeconds(1));
      int asked = w.asked.get();
      int claims = w.claims.get();
      int rounds = 20;
      for (int i = 0; i < rounds; i++) {
        w.post("active", 1);
        w.transport.next().answer(OK);
        w.pass(Duration.ofSeconds(1));
      }
      assertThat(w.transport.isIdle()).isTrue();
      // Two for each of the active one's, and none for all the others.
      assertThat(w.asked.get() - asked).isLessThanOrEqualTo(2 * rounds);
      assertThat(w.claims.get() - claims).isLessThanOrEqualTo(2 * rounds);
    }
  }

  private static void close(String id, GateAction action, NodeWorld w) {
    w.ledger.changeGate(
        new GateScope.OfDestination(id), action, BY, (_, state, _) -> requireNonNull(state));
  }

  private static BudgetRule parked() {
    return (_, _, now) -> {
      BudgetState state = BudgetState.initial(WIDE, 1, now);
      Outcome long429 = new Outcome.Throttled(429, "throttled", new Hint(Duration.ofMinutes(59)));
      Stamp stamp = new Stamp(0, false, false, false);
      return Budget.feed(
          state, WIDE, new Feedback.Ended(stamp, long429, Duration.ofMillis(1)), now);
    };
  }

  private static BudgetRule dry(BudgetSettings settings) {
    return (_, _, now) -> {
      BudgetState one = BudgetState.initial(settings, 1, now);
      BudgetState taken = Budget.debit(one, settings, new Budget.Debit(1, 0, 0, false), now);
      Stamp stamp = new Stamp(0, false, false, false);
      return Budget.feed(taken, settings, new Feedback.Ended(stamp, OK, Duration.ofMillis(1)), now);
    };
  }

  @Test
  @DisplayName("case 12: what waits for its budget holds no slot and no worker")
  void case12WhatWaitsForItsBudgetHoldsNoSlot() {
    try (NodeWorld w = new NodeWorld(1, 2)) {
      w.destination("slow", limits(new BudgetSettings(0.02, 1, 32, Duration.ofSeconds(15))));
      w.destination("other", limits(WIDE));
      w.node.start();
      w.post("slow", 20);
      w.transport.next().answer(OK);
      w.await(() -> w.node.inFlight() == 0);
      for (int i = 0; i < 50; i++) {
        w.post("other", 1);
        Sent sent = w.transport.next();
        sent.answer(OK);
      }
      w.await(() -> w.node.inFlight() == 0);
    }
  }

  @Test
  void whatAClaimUnderWayMayTakeIsNotCountedInFlight() {
    try (NodeWorld w = new NodeWorld(1, 50)) {
      w.destination("d", limits(WIDE));
      w.node.start();
      for (int i = 0; i < 5; i++) {
        w.post("d", 1);
        w.transport.next().answer(OK);
      }
      w.await(() -> w.node.inFlight() == 0);
      assertThat(w.mostInFlight.get()).isBetween(1, 5);
    }
  }

  @Test
  @DisplayName("case 4: a Retry-After holds its destination to the end, and no worker meanwhile")
  void case04ARetryAfterIsHonouredAndNobodyWaits() {
    try (NodeWorld w = new NodeWorld(1, 8)) {
      w.destination("d", limits(WIDE));
      w.node.start();
      DeliveryKey key = w.post("d", 1).getFirst();
      Sent first = w.transport.next();
      Instant told = w.host.instant();
      first.answer(new Outcome.Throttled(429, "throttled", new Hint(Duration.ofSeconds(25))));
      w.await(() -> w.row(key).state() == DeliveryState.PENDING);
      w.await(() -> w.node.inFlight() == 0);
      Sent again = w.transport.next();
      assertThat(again.attempt().sentAt()).isAfterOrEqualTo(told.plusSeconds(25));
      assertThat(again.attempt().delivery().attempt()).isZero();
      again.answer(OK);
    }
  }

  @Test
  @DisplayName("case 18: a resume lets go the oldest first, under the budget, and no herd")
  void case18AResumeReleasesNoHerd() {
    double rate = 5;
    BudgetSettings settings = new BudgetSettings(rate, 200, 32, Duration.ofSeconds(15));
    try (NodeWorld w = new NodeWorld(1, 100)) {
      w.destination("d", limits(settings));
      w.node.start();
      close("d", GateAction.PAUSE, w);
      List<DeliveryKey> waiting = w.post("d", 40);
      w.pass(Duration.ofMinutes(2));
      assertThat(w.transport.isIdle()).isTrue();
      w.ledger.changeGate(
          new GateScope.OfDestination("d"),
          GateAction.RESUME,
          BY,
          (_, state, now) -> Budget.reopen(requireNonNull(state), settings, now));
      Instant resumed = w.host.instant();
      w.node.gatesChanged();
      List<DeliveryKey> sent = new ArrayList<>();
      for (int i = 0; i < waiting.size(); i++) {
        Sent next = w.transport.next();
        sent.add(next.attempt().delivery().key());
        double seconds = Duration.between(resumed, next.attempt().sentAt()).toMillis() / 1_000.0;
        assertThat(sent.size()).isLessThanOrEqualTo((int) Math.floor(rate * (seconds + 0.2)) + 1);
        next.answer(OK);
      }
      assertThat(sent).isEqualTo(waiting);
    }
  }

  @Test
  @DisplayName("case 22: a provider's outage parks the destination and burns no attempts")
  void case22AnOutageParksAndBurnsNoAttempts() {
    try (NodeWorld w = new NodeWorld(1, 100)) {
      w.destination("d", DestinationLimits.DEFAULT);
      w.node.start();
      List<DeliveryKey> keys = w.post("d", 300);
      Outcome down = new Outcome.Transient(503, "server_error", Hint.NONE);
      while (!w.ledger.inspect().budget("d").parked()) {
        w.transport.next().answer(down);
      }
      // What was under way when it parked.
      for (int quiet = 0; quiet < 3; quiet = w.transport.isIdle() ? quiet + 1 : 0) {
        while (!w.transport.isIdle()) {
          w.transport.next().answer(down);
        }
        w.pass(Duration.ofMillis(200));
      }
      int probes = 0;
      Instant until = w.host.instant().plusSeconds(120);
      while (w.host.instant().isBefore(until)) {
        if (w.transport.isIdle()) {
          w.pass(Duration.ofMillis(100));
        } else {
          w.transport.next().answer(down);
          probes++;
        }
      }
      assertThat(probes).isBetween(2, 12);
      assertThat(w.ledger.inspect().deadLetters("d")).isEmpty();
      int most = keys.stream().mapToInt(key -> w.row(key).attempt()).max().orElseThrow();
      assertThat(most).isLessThanOrEqualTo(2);
    }
  }

  @Test
  @DisplayName("case 15: a destination that only fails is disabled once, after a time and a number")
  void case15ADestinationThatOnlyFailsIsDisabledOnce() {
    BudgetSettings budget =
        WIDE.with(new AutoDisable(Duration.ofMinutes(1), 5)).with(AdaptiveSettings.OFF);
    try (NodeWorld w = new NodeWorld(1, 8)) {
      w.destination("d", limits(budget));
      w.node.start();
      List<DeliveryKey> keys = w.post("d", 3);
      Outcome failing = new Outcome.Transient(500, "server_error", Hint.NONE);
      Instant began = w.host.instant();
      int failures = 0;
      long open = gateNo(w, "d");
      while (gateNo(w, "d") == open) {
        if (w.transport.isIdle()) {
          w.pass(Duration.ofMillis(100));
        } else {
          w.transport.next().answer(failing);
          failures++;
        }
      }
      assertThat(failures).isGreaterThanOrEqualTo(5);
      assertThat(Duration.between(began, w.host.instant())).isGreaterThan(Duration.ofMinutes(1));
      w.await(() -> {
        while (!w.transport.isIdle()) {
          w.transport.next().answer(failing); // what was under way
        }
        return keys.stream().allMatch(key -> w.row(key).state() == DeliveryState.DEAD);
      });
      assertThat(
              w.ledger.inspect().audit().stream()
                  .filter(line -> line.subject().equals("d"))
                  .filter(line -> line.reason().equals("auto_disabled")))
          .hasSize(1);
      assertThat(w.row(w.post("d", 1).getFirst()).state()).isEqualTo(DeliveryState.DEAD);
    }
  }

  @Test
  void aReceiverThatIsGoneClosesItsOwnGateAndNotTheBudgetThatOthersShare() {
    try (NodeWorld w = new NodeWorld(1, 8)) {
      w.sharing("a", "provider", limits(WIDE));
      w.sharing("b", "provider", limits(WIDE));
      w.node.start();
      long open = gateNo(w, "b");
      DeliveryKey first = w.post("a", 1).getFirst();
      w.transport.next().answer(new Outcome.Gone(410, "gone"));
      w.await(() -> w.row(first).state() == DeliveryState.DEAD);
      w.await(() -> gateNo(w, "a") != open);
      assertThat(w.row(w.post("a", 1).getFirst()).state()).isEqualTo(DeliveryState.DEAD);
      assertThat(gateNo(w, "b")).isEqualTo(open);
      assertThat(w.ledger.inspect().budget("provider").closed()).isNull();
      DeliveryKey other = w.post("b", 1).getFirst();
      w.transport.next().answer(OK);
      w.await(() -> w.row(other).state() == DeliveryState.DELIVERED);
    }
  }

  private static long gateNo(NodeWorld w, String id) {
    return requireNonNull(w.ledger.gateNumbers(List.of(id)).get(id));
  }

  @Test
  @DisplayName("case 15: refusals hold a destination once, with reason, and kill nothing")
  void case15AHoldHappensOnceAndIsTold() {
    try (NodeWorld w = new NodeWorld(1, 100)) {
      w.destination("d", limits(WIDE.withSlots(6)));
      w.node.start();
      List<DeliveryKey> keys = w.post("d", 40);
      for (int i = 0; i < 6; i++) {
        w.transport.next().answer(new Outcome.Unauthorised(401, "unauthorised"));
      }
      w.await(() -> held(w) > 0);
      w.pass(Duration.ofSeconds(30));
      assertThat(held(w)).isEqualTo(1);
      assertThat(keys).allSatisfy(key -> assertThat(w.row(key).hot()).isTrue());
    }
  }

  private static long held(NodeWorld w) {
    return w.ledger.inspect().audit().stream()
        .filter(line -> line.subject().equals("d") && line.reason().contains("unauthorised"))
        .count();
  }

  @Test
  void aNodeWhoseEveryAttemptFailsByItsOwnFaultRestsWithGrowingGaps() {
    try (NodeWorld w = new NodeWorld(1, 100)) {
      for (int i = 0; i < 12; i++) {
        w.destination("d" + i, limits(WIDE));
      }
      w.node.start();
      for (int i = 0; i < 12; i++) {
        w.post("d" + i, 1);
      }
      Set<String> failed = new HashSet<>();
      while (restsOf(w).size() < 3) {
        Sent sent = w.transport.next();
        failed.add(sent.destinationId());
        sent.answer(new Outcome.Ours(0, "dns_node_trouble"));
      }
      assertThat(failed).hasSizeGreaterThanOrEqualTo(3);
      List<Duration> rests = restsOf(w);
      assertThat(rests.get(2)).isGreaterThan(rests.get(0).multipliedBy(2));
      for (int i = 0; i < 12; i++) {
        Sent sent = w.transport.next();
        sent.answer(
            sent.attempt().sentAt().isBefore(w.host.instant())
                ? OK
                : new Outcome.Ours(0, "dns_node_trouble"));
      }
      w.await(() -> w.node.inFlight() == 0);
    }
  }

  private static List<Duration> restsOf(NodeWorld w) {
    synchronized (w.rests) {
      return List.copyOf(w.rests);
    }
  }

  @Test
  @DisplayName("case 45: a side channel that hangs stalls no settle")
  void case45AHangingSideChannelStallsNoSettle() {
    CountDownLatch free = new CountDownLatch(1);
    try (NodeWorld w = new NodeWorld(1, 100, ledger -> hangingGates(ledger, free))) {
      w.destination("bad", limits(WIDE));
      w.destination("good", limits(WIDE));
      w.node.start();
      w.post("bad", 1);
      // Its gate is written, and told, beside the hot path, and that hangs.
      w.transport.next().answer(new Outcome.Gone(410, "gone"));
      for (int i = 0; i < 20; i++) {
        DeliveryKey key = w.post("good", 1).getFirst();
        w.transport.next().answer(OK);
        w.await(() -> w.row(key).state() == DeliveryState.DELIVERED);
      }
      free.countDown();
    }
  }

  /** The ledger, but for gates that cannot be written until the latch opens. */
  private static Ledger hangingGates(Ledger ledger, CountDownLatch free) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (_, method, arguments) -> {
              if (method.getName().equals("changeGate")) {
                free.await();
              }
              try {
                return method.invoke(ledger, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
