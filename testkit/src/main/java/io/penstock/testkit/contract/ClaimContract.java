package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.LEASE;
import static io.penstock.testkit.contract.LedgerWorld.NODE;
import static io.penstock.testkit.contract.LedgerWorld.WIDE;
import static io.penstock.testkit.contract.LedgerWorld.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a claim leases, and in which order. */
public interface ClaimContract extends InWorld {

  @Test
  default void a_claim_leases_what_waits_under_the_next_lease_number() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    w.clock.advance(Duration.ofSeconds(3));

    Claim claim = w.claim(destination);

    assertThat(claim.now()).isEqualTo(w.now());
    assertThat(claim.picked()).containsExactly(Map.entry("dst_a", 1));
    assertThat(claim.skipped()).isEmpty();
    assertThat(claim.absent()).isEmpty();
    Leased leased = claim.leased().getFirst();
    DeliveryRow row = w.row(key);
    assertThat(row.state()).isEqualTo(DeliveryState.LEASED);
    assertThat(row.leasedBy()).isEqualTo(NODE);
    assertThat(row.leaseUntil()).isEqualTo(w.now().plus(LEASE)).isEqualTo(leased.leaseUntil());
    assertThat(row.leaseNo()).isEqualTo(leased.leaseNo()).isPositive();
    assertThat(row.position()).isEqualTo(leased.position());
    assertThat(leased.attempt()).isZero();
    assertThat(w.claim(destination).leased()).isEmpty();
  }

  @Test
  default void the_order_is_lane_then_urgency_then_time_then_position() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey dead = w.dead(destination);
    DeliveryKey retryBatch = w.retrying(destination, Urgency.BATCH);
    DeliveryKey retryOld = w.retrying(destination, Urgency.INTERACTIVE);
    w.clock.advance(Duration.ofSeconds(1));
    DeliveryKey retryYoung = w.retrying(destination, Urgency.INTERACTIVE);
    assertThat(w.ledger.redrive(dead, LedgerWorld.BY)).isTrue();
    DeliveryKey batch = w.deliver(destination, Urgency.BATCH);
    DeliveryKey first = w.deliver(destination);
    DeliveryKey second = w.deliver(destination);

    // The younger retry was claimed together with the older one, which was handed back: kept place.
    assertThat(keys(w.claim(destination).leased()))
        .containsExactly(first, second, batch, retryOld, retryYoung, retryBatch, dead);
  }

  @Test
  default void what_is_due_later_waits_until_exactly_then() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.deliver(destination);
    Instant later = w.now().plusSeconds(10);
    w.ledger.settle(
        destination.shard(),
        List.of(Settling.ended(w.claimOne(destination))),
        TestingSettleRules.retryAt(later));

    w.clock.set(later.minusNanos(1_000));
    Claim early = w.claim(destination);
    assertThat(early.leased()).isEmpty();
    assertThat(early.picked()).containsExactly(Map.entry("dst_a", 0));
    w.clock.set(later);
    assertThat(w.claim(destination).leased()).hasSize(1);
  }

  @Test
  default void a_claim_asks_in_the_order_of_the_request_and_names_what_does_not_exist() {
    LedgerWorld w = world();
    List<Destination> two = w.neighbours(2);
    Destination a = two.get(0);
    Destination b = two.get(1);
    TestingClaimRules rules = TestingClaimRules.everything(WIDE);
    List<String> ids = List.of(b.id(), "dst_none", a.id());
    Claim claim = w.ledger.claim(new ClaimRequest(a.shard(), ids, NODE, 10, 1 << 20), rules);
    assertThat(rules.asked())
        .extracting(ClaimRules.Asking::destinationId)
        .containsExactly(b.id(), a.id());
    assertThat(rules.asked())
        .extracting(ClaimRules.Asking::configNo)
        .containsExactly(b.configNo(), a.configNo());
    assertThat(rules.decidedAt()).isEqualTo(claim.now());
    assertThat(claim.absent()).containsExactly("dst_none");
  }

  @Test
  default void the_budget_pays_for_exactly_what_was_leased() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.deliver(destination);
    w.deliver(destination, Urgency.BATCH);
    BudgetState before = w.inspect.budget("dst_a");
    TestingClaimRules rules = TestingClaimRules.everything(WIDE);

    Claim claim = w.claim(rules, destination);

    assertThat(rules.debited()).isEqualTo(claim.leased());
    BudgetState wanted = Budget.debit(before, WIDE, new Budget.Debit(2, 0, 1, false), w.now());
    assertThat(w.inspect.budget("dst_a")).isEqualTo(wanted);
    assertThat(w.inFlight(destination)).isEqualTo(2);
  }

  @Test
  default void what_is_not_granted_is_neither_leased_nor_paid_for() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    BudgetState before = w.inspect.budget("dst_a");
    Claim claim = w.claim(TestingClaimRules.granting(WIDE, asking -> null), destination);
    assertThat(claim.leased()).isEmpty();
    assertThat(claim.picked()).isEmpty();
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.PENDING);
    assertThat(w.inspect.budget("dst_a")).isEqualTo(before);
  }

  @Test
  default void a_claim_whose_rules_fail_leaves_everything_as_it_was() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    DeliveryRow before = w.row(key);
    ClaimRules failing =
        new ClaimRules() {
          private final ClaimRules rules = TestingClaimRules.everything(WIDE);

          @Override
          public List<Grant> decide(Instant now, List<Asking> asking) {
            return rules.decide(now, asking);
          }

          @Override
          public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
            assertThat(leased).hasSize(1);
            throw new IllegalStateException("planted");
          }
        };
    assertThatThrownBy(() -> w.claim(failing, destination)).hasStackTraceContaining("planted");
    assertThat(w.row(key)).isEqualTo(before);
    assertThat(w.inFlight(destination)).isZero();
    assertThat(w.claim(destination).leased()).hasSize(1);
  }

  @Test
  default void a_claim_skips_a_budget_that_another_claim_holds() {
    LedgerWorld w = world();
    List<Destination> two = w.neighbours(2);
    Destination held = two.get(0);
    Destination free = two.get(1);
    w.deliver(held);
    DeliveryKey other = w.deliver(free);
    List<Claim> meanwhile = new ArrayList<>();
    TestingClaimRules rules =
        TestingClaimRules.granting(
            WIDE,
            asking -> {
              meanwhile.add(AtOnce.aside(() -> w.claim(held, free)));
              return new ClaimRules.Grant(asking.destinationId(), 1, 0, 1, LEASE);
            });

    Claim claim = w.claim(rules, held);

    assertThat(claim.leased()).hasSize(1);
    assertThat(meanwhile).hasSize(1);
    assertThat(meanwhile.getFirst().skipped()).containsExactly(held.id());
    assertThat(keys(meanwhile.getFirst().leased())).containsExactly(other);
  }

  @Test
  default void destinations_may_share_a_budget() {
    LedgerWorld w = world();
    List<Destination> two = w.neighbours(2);
    Destination a = two.getFirst();
    Destination sharing = null;
    for (int i = 0; sharing == null; i++) {
      Destination made =
          w.ledger
              .createDestination(
                  LedgerWorld.describe("dst_s" + i, LedgerWorld.TENANT, a.budgetId()),
                  LedgerWorld.budget(WIDE),
                  LedgerWorld.BY)
              .orElseThrow();
      sharing = made.shard() == a.shard() ? made : null;
    }
    w.deliver(a);
    w.deliver(sharing);
    TestingClaimRules rules = TestingClaimRules.everything(WIDE);
    Claim claim = w.claim(rules, a, sharing);
    assertThat(claim.leased()).hasSize(2);
    assertThat(rules.asked())
        .extracting(ClaimRules.Asking::budgetId)
        .containsExactly(a.budgetId(), a.budgetId());
    assertThat(w.inFlight(a)).isEqualTo(2);
    w.ledger.settle(
        a.shard(),
        claim.leased().stream().map(Settling::ended).toList(),
        TestingSettleRules.delivers());
    assertThat(w.inFlight(a)).isZero();
  }
}
