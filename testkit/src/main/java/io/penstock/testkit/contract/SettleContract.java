package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.WIDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The moves out of a lease. */
public interface SettleContract extends InWorld {

  @Test
  default void delivered_ends_the_delivery_and_feeds_the_budget() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Leased lease = w.claimOne(destination);
    BudgetState held = w.inspect.budget("dst_a");
    w.clock.advance(Duration.ofSeconds(1));
    Settlement settlement = Settling.ended(lease);

    Settled settled =
        w.ledger.settle(key.shard(), List.of(settlement), TestingSettleRules.delivers());

    assertThat(settled.now()).isEqualTo(w.now());
    assertThat(settled.stale()).isEmpty();
    assertThat(settled.applied())
        .containsExactly(new Settled.Applied(settlement, new Move.Deliver(1)));
    DeliveryRow row = w.row(key);
    assertThat(row.state()).isEqualTo(DeliveryState.DELIVERED);
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(row.lastStatus()).isEqualTo(Settling.STATUS);
    assertThat(row.leaseNo()).isEqualTo(lease.leaseNo());
    assertThat(row.reason()).isNull();
    assertThat(w.inspect.budget("dst_a"))
        .isEqualTo(Budget.feed(held, WIDE, settlement.feedback(), w.now()));
    assertThat(w.inFlight(destination)).isZero();
    assertThat(w.inspect.deadLetters("dst_a")).isEmpty();
    assertThat(w.ledger.walk(key.shard(), null, 10)).isEmpty();
  }

  @Test
  default void every_attempt_leaves_a_row() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    for (int i = 0; i < 2; i++) {
      w.ledger.settle(
          key.shard(),
          List.of(Settling.ended(w.claimOne(destination))),
          TestingSettleRules.retryAt(w.now()));
    }
    assertThat(w.inspect.attempts(key))
        .hasSize(2)
        .allSatisfy(attempt -> {
          assertThat(attempt.startedAt()).isEqualTo(w.now());
          assertThat(attempt.durationMicros()).isEqualTo(12_345);
          assertThat(attempt.outcome()).isEqualTo("delivered");
          assertThat(attempt.detail()).isEqualTo("ok");
          assertThat(attempt.status()).isEqualTo(Settling.STATUS);
          assertThat(attempt.responseHead()).isEqualTo(Settling.HEAD);
          assertThat(attempt.resolvedAddress()).isEqualTo("127.0.0.1");
          assertThat(attempt.node()).isEqualTo(LedgerWorld.NODE);
        });
    assertThat(w.inspect.attempts(key)).extracting("leaseNo").doesNotHaveDuplicates();
  }

  @Test
  default void a_retry_waits_on_the_retry_lane_with_one_attempt_more() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Instant later = w.now().plusSeconds(30);
    w.ledger.settle(
        key.shard(),
        List.of(Settling.ended(w.claimOne(destination))),
        TestingSettleRules.retryAt(later));
    DeliveryRow row = w.row(key);
    assertThat(row.state()).isEqualTo(DeliveryState.RETRYING);
    assertThat(row.lane()).isEqualTo(Lane.RETRY);
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(row.notBefore()).isEqualTo(later);
    assertThat(row.leaseUntil()).isNull();
    assertThat(row.leasedBy()).isNull();
    assertThat(row.lastStatus()).isEqualTo(Settling.STATUS);
  }

  @Test
  default void what_keeps_its_place_keeps_lane_time_position_and_attempts() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey first = w.deliver(destination);
    DeliveryKey redriven = w.dead(destination);
    w.ledger.redrive(redriven, LedgerWorld.BY);
    DeliveryKey retry = w.retrying(destination, Urgency.BATCH);
    List<DeliveryRow> before = List.of(w.row(first), w.row(retry), w.row(redriven));
    w.clock.advance(Duration.ofSeconds(7));

    List<Leased> leased = w.claim(destination).leased();
    assertThat(LedgerWorld.keys(leased)).containsExactly(first, retry, redriven);
    w.ledger.settle(
        destination.shard(),
        leased.stream().map(Settling::handedBack).toList(),
        TestingSettleRules.keepsPlace());

    for (DeliveryRow was : before) {
      DeliveryRow row = w.row(was.key());
      assertThat(row).usingRecursiveComparison().ignoringFields("leaseNo").isEqualTo(was);
      assertThat(row.leaseNo()).isGreaterThan(was.leaseNo());
      assertThat(row.state())
          .isEqualTo(was.lane() == Lane.RETRY ? DeliveryState.RETRYING : DeliveryState.PENDING);
    }
    assertThat(LedgerWorld.keys(w.claim(destination).leased()))
        .containsExactly(first, retry, redriven);
  }

  @Test
  default void death_writes_the_dead_letter_in_the_same_transaction() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    w.ledger.settle(
        key.shard(), List.of(Settling.ended(w.claimOne(destination))), TestingSettleRules.dies());
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.DEAD);
    assertThat(w.row(key).reason()).isEqualTo(Reason.REJECTED);
    assertThat(w.inspect.deadLetters("dst_a"))
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.key()).isEqualTo(key);
          assertThat(letter.tenantId()).isEqualTo(LedgerWorld.TENANT);
          assertThat(letter.reason()).isEqualTo(Reason.REJECTED);
          assertThat(letter.lastStatus()).isEqualTo(Settling.STATUS);
          assertThat(letter.responseHead()).isEqualTo(Settling.HEAD);
          assertThat(letter.attempts()).isEqualTo(1);
          assertThat(letter.when()).isEqualTo(w.now());
        });
  }

  @Test
  default void what_ends_unsent_has_no_attempt_row() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    w.ledger.settle(
        key.shard(),
        List.of(Settling.endsUnsent(w.claimOne(destination), Reason.EXPIRED)),
        TestingSettleRules.moving((now, settlement) -> new Move.Die(0, Reason.EXPIRED)));
    assertThat(w.inspect.attempts(key)).isEmpty();
    assertThat(w.row(key).attempt()).isZero();
    assertThat(w.inspect.deadLetters("dst_a"))
        .singleElement()
        .satisfies(letter -> assertThat(letter.reason()).isEqualTo(Reason.EXPIRED));
  }

  @Test
  default void the_rules_see_every_budget_by_destination() {
    LedgerWorld w = world();
    List<Destination> two = w.neighbours(2);
    two.forEach(w::deliver);
    List<Leased> leased = w.claim(two.get(0), two.get(1)).leased();
    SettleRules looking =
        new SettleRules() {
          @Override
          public List<Move> moves(
              Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
            assertThat(budgets).containsOnlyKeys(two.get(0).id(), two.get(1).id());
            budgets.forEach((id, budget) -> {
              assertThat(budget.budgetId()).isEqualTo(id);
              assertThat(budget.state()).isEqualTo(w.inspect.budget(id));
            });
            return TestingSettleRules.delivers().moves(now, batch, budgets);
          }

          @Override
          public Map<String, BudgetState> feed(
              Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
            return TestingSettleRules.delivers().feed(now, applied, budgets);
          }
        };
    Settled settled =
        w.ledger.settle(
            two.getFirst().shard(), leased.stream().map(Settling::ended).toList(), looking);
    assertThat(settled.applied()).hasSize(2);
  }

  @Test
  default void a_settle_whose_rules_fail_leaves_everything_as_it_was() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Leased lease = w.claimOne(destination);
    DeliveryRow before = w.row(key);
    SettleRules failing =
        new SettleRules() {
          @Override
          public List<Move> moves(
              Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
            return TestingSettleRules.dies().moves(now, batch, budgets);
          }

          @Override
          public Map<String, BudgetState> feed(
              Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
            throw new IllegalStateException("planted");
          }
        };
    assertThatThrownBy(() -> w.ledger.settle(key.shard(), List.of(Settling.ended(lease)), failing))
        .hasStackTraceContaining("planted");
    assertThat(w.row(key)).isEqualTo(before);
    assertThat(w.inspect.attempts(key)).isEmpty();
    assertThat(w.inspect.deadLetters("dst_a")).isEmpty();
    assertThat(w.inFlight(destination)).isEqualTo(1);
  }
}
