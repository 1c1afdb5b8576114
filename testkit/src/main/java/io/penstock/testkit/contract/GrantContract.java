package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.ALL;
import static io.penstock.testkit.contract.LedgerWorld.ALL_BYTES;
import static io.penstock.testkit.contract.LedgerWorld.LEASE;
import static io.penstock.testkit.contract.LedgerWorld.WIDE;
import static io.penstock.testkit.contract.LedgerWorld.keys;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Claim;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The limits of a grant and of a request. */
public interface GrantContract extends InWorld {

  @Test
  default void a_grant_is_never_exceeded_and_a_full_pick_says_so() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey first = w.deliver(destination);
    DeliveryKey second = w.deliver(destination);
    w.deliver(destination);
    Claim claim = w.claim(TestingClaimRules.most(WIDE, 2, 2, 2, LEASE), destination);
    assertThat(keys(claim.leased())).containsExactly(first, second);
    assertThat(claim.picked()).containsExactly(Map.entry("dst_a", 2));
  }

  @Test
  default void retries_and_redrives_share_one_limit() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey dead = w.dead(destination);
    DeliveryKey retry = w.retrying(destination, Urgency.BATCH);
    w.ledger.redrive(dead, LedgerWorld.BY);
    DeliveryKey first = w.deliver(destination);
    assertThat(keys(w.claim(TestingClaimRules.most(WIDE, 9, 1, 9, LEASE), destination).leased()))
        .containsExactly(first, retry);
    assertThat(w.claim(TestingClaimRules.most(WIDE, 9, 0, 9, LEASE), destination).leased())
        .isEmpty();
    assertThat(keys(w.claim(destination).leased())).containsExactly(dead);
  }

  @Test
  default void batch_work_has_a_limit_of_its_own_in_all_lanes() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey retryBatch = w.retrying(destination, Urgency.BATCH);
    DeliveryKey retry = w.retrying(destination, Urgency.INTERACTIVE);
    DeliveryKey batch = w.deliver(destination, Urgency.BATCH);
    DeliveryKey batchToo = w.deliver(destination, Urgency.BATCH);
    DeliveryKey first = w.deliver(destination);
    assertThat(keys(w.claim(TestingClaimRules.most(WIDE, 9, 9, 1, LEASE), destination).leased()))
        .containsExactly(first, batch, retry);
    assertThat(keys(w.claim(destination).leased())).containsExactly(batchToo, retryBatch);
  }

  @Test
  default void with_scarce_slots_first_attempts_of_all_go_before_any_retry_in_grant_order() {
    LedgerWorld w = world();
    List<Destination> three = w.neighbours(3);
    Destination a = three.get(0);
    Destination b = three.get(1);
    Destination c = three.get(2);
    DeliveryKey retryA = w.retrying(a, Urgency.INTERACTIVE);
    DeliveryKey retryC = w.retrying(c, Urgency.INTERACTIVE);
    DeliveryKey firstC = w.deliver(c, Urgency.BATCH);
    DeliveryKey firstB = w.deliver(b);
    DeliveryKey secondB = w.deliver(b);

    Claim scarce =
        w.ledger.claim(w.request(4, ALL_BYTES, c, a, b), TestingClaimRules.everything(WIDE));
    assertThat(keys(scarce.leased())).containsExactly(firstC, firstB, secondB, retryC);
    assertThat(scarce.picked())
        .containsOnly(Map.entry(a.id(), 0), Map.entry(b.id(), 2), Map.entry(c.id(), 2));
    assertThat(w.inFlight(a)).isZero();
    assertThat(keys(w.claim(a, b, c).leased())).containsExactly(retryA);
  }

  @Test
  default void the_bodies_that_come_inline_stay_within_the_bytes_and_one_always_comes() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey first = w.deliver(destination, Urgency.INTERACTIVE, new byte[600]);
    DeliveryKey late = w.deliver(destination, Urgency.INTERACTIVE, new byte[100_000]);
    DeliveryKey second = w.deliver(destination, Urgency.INTERACTIVE, new byte[400]);
    DeliveryKey third = w.deliver(destination, Urgency.INTERACTIVE, new byte[1]);
    Claim bounded =
        w.ledger.claim(w.request(ALL, 1_000, destination), TestingClaimRules.everything(WIDE));
    assertThat(keys(bounded.leased())).containsExactly(first, late, second);
    assertThat(w.inFlight(destination)).isEqualTo(3);

    w.deliver(destination, Urgency.INTERACTIVE, new byte[1]);
    Claim one = w.ledger.claim(w.request(ALL, 0, destination), TestingClaimRules.everything(WIDE));
    assertThat(keys(one.leased())).containsExactly(third);
  }
}
