package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.testkit.rows.AuditSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ends that are taken back: redrive and send again. */
public interface RedriveContract extends InWorld {

  @Test
  @DisplayName("case 19: a redriven delivery starts with fresh attempts and a fresh age")
  default void case19_a_redrive_starts_afresh() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.dead(destination);
    DeliveryRow dead = w.row(key);
    assertThat(dead.attempt()).isEqualTo(1);
    w.clock.advance(Duration.ofHours(50));

    assertThat(w.ledger.redrive(key, BY)).isTrue();

    DeliveryRow row = w.row(key);
    assertThat(row.state()).isEqualTo(DeliveryState.PENDING);
    assertThat(row.lane()).isEqualTo(Lane.REDRIVE);
    assertThat(row.attempt()).isZero();
    assertThat(row.ageFrom()).isEqualTo(w.now());
    assertThat(row.notBefore()).isEqualTo(w.now());
    assertThat(row.redriveCount()).isEqualTo(1);
    assertThat(row.reason()).isNull();
    assertThat(row.leaseNo()).isGreaterThan(dead.leaseNo());
    assertThat(w.ledger.redrive(key, BY)).isFalse();
    assertThat(w.inspect.deadLetters("dst_a")).hasSize(1);
  }

  @Test
  default void a_redriven_delivery_is_the_same_event_under_the_same_key() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    NewEvent event = w.event(Urgency.BATCH, new byte[] {1, 2}, "key-1", "dst_a");
    w.accept(event);
    Leased before = w.claimOne(destination);
    w.ledger.settle(
        destination.shard(), List.of(Settling.ended(before)), TestingSettleRules.dies());
    assertThat(w.ledger.redrive(before.key(), BY)).isTrue();
    Leased after = w.claimOne(destination);
    assertThat(after.key()).isEqualTo(before.key());
    assertThat(after.content().idempotencyKey()).isEqualTo("key-1");
    assertThat(after.content().body()).isEqualTo(new byte[] {1, 2});
    assertThat(after.urgency()).isEqualTo(Urgency.BATCH);
    assertThat(after.leaseNo()).isGreaterThan(before.leaseNo());
    assertThat(after.redriveCount()).isEqualTo(1);
  }

  @Test
  default void a_lease_from_before_the_redrive_is_stale_for_ever() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    Leased old = w.claimOne(destination);
    w.ledger.settle(key.shard(), List.of(Settling.ended(old)), TestingSettleRules.dies());
    w.ledger.redrive(key, BY);
    w.claimOne(destination);
    assertThat(
            w.ledger
                .settle(key.shard(), List.of(Settling.ended(old)), TestingSettleRules.delivers())
                .applied())
        .isEmpty();
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.LEASED);
  }

  @Test
  default void only_the_dead_are_redriven_and_only_the_delivered_are_sent_again() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey delivered = w.delivered(destination);
    DeliveryKey dead = w.dead(destination);
    DeliveryKey cancelled = w.deliver(destination);
    w.ledger.cancel(cancelled, BY, WaitingContract.NEVER);
    DeliveryKey pending = w.deliver(destination);
    for (DeliveryKey key : List.of(delivered, cancelled, pending)) {
      assertThat(w.ledger.redrive(key, BY)).isFalse();
    }
    for (DeliveryKey key : List.of(dead, cancelled, pending)) {
      assertThat(w.ledger.sendAgain(key, BY)).isFalse();
    }
    assertThat(w.ledger.sendAgain(delivered, BY)).isTrue();
    DeliveryRow again = w.row(delivered);
    assertThat(again.state()).isEqualTo(DeliveryState.PENDING);
    assertThat(again.lane()).isEqualTo(Lane.REDRIVE);
    assertThat(again.attempt()).isZero();
    assertThat(w.ledger.sendAgain(delivered, BY)).isFalse();
  }

  @Test
  default void a_delivery_can_end_and_be_redriven_many_times() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.dead(destination);
    long last = w.row(key).leaseNo();
    for (int round = 1; round <= 3; round++) {
      assertThat(w.ledger.redrive(key, BY)).isTrue();
      Leased lease = w.claimOne(destination);
      assertThat(lease.leaseNo()).isGreaterThan(last);
      last = lease.leaseNo();
      assertThat(lease.redriveCount()).isEqualTo(round);
      w.ledger.settle(key.shard(), List.of(Settling.ended(lease)), TestingSettleRules.dies());
    }
    assertThat(w.inspect.deadLetters("dst_a")).hasSize(4);
    assertThat(w.inspect.attempts(key)).hasSize(4);
  }

  @Test
  default void who_did_what_and_why_is_in_the_audit() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey delivered = w.delivered(destination);
    DeliveryKey dead = w.dead(destination);
    int before = w.inspect.audit().size();
    w.ledger.redrive(dead, BY);
    w.ledger.sendAgain(delivered, BY);
    w.ledger.cancel(dead, BY, WaitingContract.NEVER);
    w.ledger.redrive(dead, BY);
    List<AuditSeen> lines = w.inspect.audit();
    assertThat(lines.subList(before, lines.size()))
        .hasSize(3)
        .allSatisfy(line -> {
          assertThat(line.actor()).isEqualTo(BY.actor());
          assertThat(line.reason()).isEqualTo(BY.reason());
          assertThat(line.when()).isEqualTo(w.now());
          assertThat(line.subject()).contains("dst_a");
        });
  }
}
