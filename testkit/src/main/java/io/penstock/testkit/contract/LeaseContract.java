package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.LEASE;
import static io.penstock.testkit.contract.LedgerWorld.keys;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The fence: one settle per lease number, and who wins when a lease runs out. */
public interface LeaseContract extends InWorld {

  @Test
  default void a_settle_with_another_lease_number_is_stale_and_changes_nothing() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Leased old = w.claimOne(destination);
    settle(w, TestingSettleRules.keepsPlace(), Settling.handedBack(old));
    Leased current = w.claimOne(destination);
    assertThat(current.leaseNo()).isGreaterThan(old.leaseNo());
    DeliveryRow before = w.row(key);

    Settlement late = Settling.ended(old);
    Settled settled = settle(w, TestingSettleRules.delivers(), late);

    assertThat(settled.applied()).isEmpty();
    assertThat(settled.stale()).containsExactly(late);
    assertThat(w.row(key)).isEqualTo(before);
    assertThat(w.inFlight(destination)).isEqualTo(1);
    assertThat(w.inspect.attempts(key)).isEmpty();
    assertThat(settle(w, TestingSettleRules.delivers(), Settling.ended(current)).applied())
        .hasSize(1);
  }

  @Test
  default void a_lease_is_settled_once_also_within_one_batch() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    w.deliver(destination);
    List<Leased> two = w.claim(destination).leased();
    Settlement first = Settling.ended(two.getFirst());
    Settlement again = Settling.handedBack(two.getFirst());

    Settled settled = settle(w, TestingSettleRules.delivers(), first, again);

    assertThat(settled.applied()).extracting(Settled.Applied::settlement).containsExactly(first);
    assertThat(settled.stale()).containsExactly(again);
    assertThat(w.inFlight(destination)).isEqualTo(1);
    assertThat(w.inspect.attempts(key)).hasSize(1);
    assertThat(settle(w, TestingSettleRules.delivers(), first).stale()).containsExactly(first);
    assertThat(w.inFlight(destination)).isEqualTo(1);
  }

  @Test
  @DisplayName("case 24: the leases of a worker that died are found as soon as they have run out")
  default void case24_leases_that_ran_out_are_listed_oldest_first() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.deliver(destination);
    Leased old = w.claimOne(destination);
    w.clock.advance(Duration.ofSeconds(1));
    w.deliver(destination);
    w.deliver(destination);
    List<Leased> young = w.claim(destination).leased();
    int shard = destination.shard();

    w.clock.set(old.leaseUntil().minusNanos(1_000));
    assertThat(w.ledger.expiredLeases(shard, 10)).isEmpty();
    w.clock.set(old.leaseUntil());
    assertThat(w.ledger.expiredLeases(shard, 10))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(old);
    w.clock.set(young.getFirst().leaseUntil());
    assertThat(keys(w.ledger.expiredLeases(shard, 2)))
        .containsExactly(old.key(), young.getFirst().key());
    assertThat(w.ledger.expiredLeases(shard, 10)).hasSize(3);
  }

  @Test
  default void a_lease_is_not_lost_before_it_has_run_out() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Settlement lost = Settling.lost(w.claimOne(destination));
    w.clock.advance(LEASE.minusNanos(1_000));
    assertThat(settle(w, TestingSettleRules.retryAt(w.now()), lost).stale()).containsExactly(lost);
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.LEASED);
    w.clock.advance(Duration.ofNanos(1_000));
    assertThat(settle(w, TestingSettleRules.retryAt(w.now()), lost).applied())
        .containsExactly(new Settled.Applied(lost, new Move.Retry(1, w.now())));
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.RETRYING);
    assertThat(w.inFlight(destination)).isZero();
  }

  @Test
  @DisplayName("case 26: a completion that comes before the rescue wins, though the lease ran out")
  default void case26_completion_wins_if_first() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Leased lease = w.claimOne(destination);
    w.clock.advance(LEASE.plusSeconds(60));
    List<Leased> rescued = w.ledger.expiredLeases(key.shard(), 10);
    assertThat(rescued).hasSize(1);

    assertThat(settle(w, TestingSettleRules.delivers(), Settling.ended(lease)).applied())
        .hasSize(1);
    Settlement lost = Settling.lost(rescued.getFirst());
    assertThat(settle(w, TestingSettleRules.retryAt(w.now()), lost).stale()).containsExactly(lost);

    assertThat(w.row(key).state()).isEqualTo(DeliveryState.DELIVERED);
    assertThat(w.claim(destination).leased()).isEmpty();
    assertThat(w.inFlight(destination)).isZero();
  }

  @Test
  @DisplayName("case 26: a completion that comes after the rescue is stale")
  default void case26_rescue_wins_if_first() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Leased lease = w.claimOne(destination);
    w.clock.advance(LEASE);
    Leased rescued = w.ledger.expiredLeases(key.shard(), 10).getFirst();
    settle(w, TestingSettleRules.retryAt(w.now()), Settling.lost(rescued));
    assertThat(settle(w, TestingSettleRules.delivers(), Settling.ended(lease)).applied()).isEmpty();
    Leased again = w.claimOne(destination);
    assertThat(again.leaseNo()).isGreaterThan(lease.leaseNo());
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(settle(w, TestingSettleRules.delivers(), Settling.ended(lease)).applied()).isEmpty();
    assertThat(w.inFlight(destination)).isEqualTo(1);
  }

  private static Settled settle(
      LedgerWorld w, TestingSettleRules rules, Settlement... settlements) {
    return w.ledger.settle(settlements[0].lease().key().shard(), List.of(settlements), rules);
  }
}
