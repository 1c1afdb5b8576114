package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Decision;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.WaitReason;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.destination.Destination;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One stored budget decides for all nodes. */
public interface BudgetContract extends InWorld {
  /** What is configured. */
  BudgetSettings HUNDRED = new BudgetSettings(100, 60, 60, Duration.ofSeconds(15));

  private List<TestingBudgetRules> threeNodes(
      Destination destination, BudgetSettings settings, int waiting) {
    for (int i = 0; i < waiting; i++) {
      world().deliver(destination);
    }
    return Stream.generate(() -> new TestingBudgetRules(world().ledger, destination, settings))
        .limit(3)
        .toList();
  }

  @Test
  @DisplayName(
      "case 1: three nodes together lease no more than rate x t + burst, from the start on")
  default void case01_three_nodes_share_one_bucket() {
    LedgerWorld w = world();
    BudgetSettings slow = new BudgetSettings(2, 3, 60, Duration.ofSeconds(15));
    Destination destination = w.destination("dst_a", TENANT, slow);
    List<TestingBudgetRules> nodes = threeNodes(destination, slow, 40);
    int leased = 0;
    for (int tenths = 0; tenths < 100; tenths++) {
      for (TestingBudgetRules node : nodes) {
        leased += node.claim().size();
      }
      // It starts with one token.
      assertThat(leased).isLessThanOrEqualTo(1 + tenths * 2 / 10);
      w.clock.advance(Duration.ofMillis(100));
    }
    assertThat(leased).isBetween(19, 20);
  }

  @Test
  @DisplayName("case 7: three nodes that hit one wall cut its rate once")
  default void case07_three_nodes_cut_once() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a", TENANT, HUNDRED);
    List<TestingBudgetRules> nodes = threeNodes(destination, HUNDRED, 60);
    List<List<Leased>> leased = nodes.stream().map(node -> claimAfter(node, 150)).toList();
    assertThat(leased).allSatisfy(its -> assertThat(its).hasSizeGreaterThan(5));
    long generation = w.inspect.budget("dst_a").generation();
    w.clock.advance(Duration.ofSeconds(2));
    for (int i = 0; i < 3; i++) {
      nodes.get(i).settle(leased.get(i), new Outcome.Throttled(429, "throttled", Hint.NONE));
      w.clock.advance(Duration.ofMillis(1_100)); // beyond an epoch: only the stamp tells them apart
    }
    assertThat(w.inspect.budget("dst_a").generation()).isEqualTo(generation + 1);
    assertThat(w.inFlight(destination)).isZero();
  }

  private List<Leased> claimAfter(TestingBudgetRules node, int millis) {
    world().clock.advance(Duration.ofMillis(millis));
    return node.claim();
  }

  @Test
  @DisplayName("case 4: a Retry-After that one node was told holds them all, to its end")
  default void case04_a_pin_holds_every_node() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a", TENANT, HUNDRED);
    List<TestingBudgetRules> nodes = threeNodes(destination, HUNDRED, 60);
    List<Leased> first = claimAfter(nodes.get(0), 150);
    nodes
        .get(0)
        .settle(first, new Outcome.Throttled(429, "throttled", new Hint(Duration.ofSeconds(20))));
    w.clock.advance(Duration.ofMillis(19_990));
    assertThat(nodes.get(1).claim()).isEmpty();
    assertThat(nodes.get(1).decision())
        .isInstanceOfSatisfying(
            Decision.Wait.class,
            wait -> assertThat(wait.reason()).isInstanceOf(WaitReason.Pinned.class));
    w.clock.advance(Duration.ofSeconds(3));
    assertThat(nodes.get(2).claim()).isNotEmpty();
  }

  @Test
  default void a_parked_budget_lends_its_probe_to_one_node_and_a_lost_one_to_another() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a", TENANT, HUNDRED);
    List<TestingBudgetRules> nodes = threeNodes(destination, HUNDRED, 60);
    List<Leased> first = claimAfter(nodes.get(0), 150);
    nodes
        .get(0)
        .settle(first, new Outcome.Throttled(429, "throttled", new Hint(Duration.ofSeconds(31))));
    assertThat(w.inspect.budget("dst_a").parked()).isTrue();
    w.clock.advance(Duration.ofSeconds(40));
    assertThat(nodes.get(0).claim()).hasSize(1);
    assertThat(nodes.get(1).claim()).isEmpty();
    w.clock.advance(HUNDRED.timeout().plusSeconds(5));
    List<Leased> second = nodes.get(1).claim();
    assertThat(second).hasSize(1);
    assertThat(nodes.get(2).claim()).isEmpty();
    nodes.get(1).settle(second, new Outcome.Delivered(200, "ok", Hint.NONE));
    assertThat(w.inspect.budget("dst_a").parked()).isFalse();
  }

  @Test
  default void a_quota_is_one_for_all_nodes() {
    LedgerWorld w = world();
    BudgetSettings tenADay =
        HUNDRED.with(new QuotaSettings(QuotaSettings.Per.DAY, ZoneId.of("UTC"), 10, 0));
    Destination destination = w.destination("dst_a", TENANT, tenADay);
    List<TestingBudgetRules> nodes = threeNodes(destination, tenADay, 60);
    int leased = 0;
    for (int i = 0; i < 30; i++) {
      leased += claimAfter(nodes.get(i % 3), 20).size();
    }
    assertThat(leased).isEqualTo(10);
    assertThat(nodes.get(0).decision())
        .isInstanceOfSatisfying(
            Decision.Wait.class,
            wait -> assertThat(wait.reason()).isInstanceOf(WaitReason.Quota.class));
  }
}
