package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static io.penstock.testkit.contract.LedgerWorld.TENANT;
import static io.penstock.testkit.contract.LedgerWorld.WIDE;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many at once. */
public interface ConcurrencyContract extends InWorld {

  @Test
  @DisplayName("case 13: 64 claimers on one destination with a limit of 1 run one at a time")
  default void case13_a_limit_of_one_holds_against_64_claimers() throws Exception {
    LedgerWorld w = world();
    BudgetSettings one = new BudgetSettings(100_000, 100_000, 1, Duration.ofSeconds(15));
    Destination destination = w.destination("dst_a", TENANT, one);
    int wanted = 100;
    Set<DeliveryKey> waiting = new HashSet<>();
    for (int i = 0; i < wanted; i++) {
      waiting.add(w.deliver(destination));
    }
    AtomicInteger running = new AtomicInteger();
    AtomicInteger mostRunning = new AtomicInteger();
    Set<DeliveryKey> done = Collections.synchronizedSet(new HashSet<>());
    AtomicInteger times = new AtomicInteger();
    Callable<Integer> claimer =
        () -> {
          int own = 0;
          while (done.size() < wanted) {
            Claim claim = w.claim(TestingClaimRules.byBudget(one, w.now()), destination);
            for (Leased lease : claim.leased()) {
              mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
              own++;
              running.decrementAndGet();
              w.ledger.settle(
                  destination.shard(),
                  List.of(Settling.ended(lease)),
                  TestingSettleRules.delivers());
              times.incrementAndGet();
              done.add(lease.key());
            }
          }
          return own;
        };

    AtOnce.all(Collections.nCopies(64, claimer));

    assertThat(mostRunning).hasValue(1);
    assertThat(done).isEqualTo(waiting);
    assertThat(times).hasValue(wanted);
    assertThat(w.inFlight(destination)).isZero();
    assertThat(waiting).allSatisfy(key -> assertThat(w.inspect.attempts(key)).hasSize(1));
  }

  @Test
  default void many_claims_at_once_lease_every_delivery_once_and_pay_for_it_once()
      throws Exception {
    LedgerWorld w = world();
    Destination[] destinations = w.neighbours(3).toArray(Destination[]::new);
    int each = 60;
    for (int i = 0; i < each; i++) {
      for (Destination destination : destinations) {
        w.deliver(destination);
      }
    }
    AtomicInteger left = new AtomicInteger(each * destinations.length);
    Callable<List<DeliveryKey>> claimer =
        () -> {
          List<DeliveryKey> own = new ArrayList<>();
          while (left.get() > 0) {
            Claim claim =
                w.ledger.claim(
                    w.request(7, LedgerWorld.ALL_BYTES, destinations),
                    TestingClaimRules.everything(WIDE));
            own.addAll(LedgerWorld.keys(claim.leased()));
            left.addAndGet(-claim.leased().size());
          }
          return own;
        };

    List<DeliveryKey> leased = new ArrayList<>();
    AtOnce.all(Collections.nCopies(8, claimer)).forEach(leased::addAll);

    assertThat(leased).hasSize(each * destinations.length).doesNotHaveDuplicates();
    for (Destination destination : destinations) {
      assertThat(w.inFlight(destination)).isEqualTo(each);
    }
  }

  @Test
  default void claims_settles_and_cancels_at_once_end_every_delivery_once_and_free_every_slot()
      throws Exception {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    List<DeliveryKey> keys = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      keys.add(w.deliver(destination));
    }
    AtomicInteger left = new AtomicInteger(keys.size());
    Callable<Integer> worker =
        () -> {
          int delivered = 0;
          while (left.get() > 0) {
            Claim claim =
                w.ledger.claim(
                    w.request(3, LedgerWorld.ALL_BYTES, destination),
                    TestingClaimRules.everything(WIDE));
            if (!claim.leased().isEmpty()) {
              int applied =
                  w.ledger
                      .settle(
                          destination.shard(),
                          claim.leased().stream().map(Settling::ended).toList(),
                          TestingSettleRules.delivers())
                      .applied()
                      .size();
              delivered += applied;
              left.addAndGet(-applied);
            }
          }
          return delivered;
        };
    Callable<Integer> canceller =
        () -> {
          int cancelled = 0;
          for (DeliveryKey key : keys.reversed()) {
            if (w.ledger.cancel(key, BY, ConcurrencyContract::freed)) {
              cancelled++;
              left.decrementAndGet();
            }
          }
          return cancelled;
        };

    List<Integer> ends = AtOnce.all(List.of(worker, canceller, worker));

    assertThat(ends.stream().mapToInt(Integer::intValue).sum()).isEqualTo(keys.size());
    assertThat(w.inFlight(destination)).isZero();
    assertThat(keys.stream().filter(key -> w.row(key).state() == DeliveryState.CANCELLED))
        .hasSize(ends.get(1));
  }

  @Test
  default void what_is_shelved_while_it_is_claimed_is_dead_or_leased_and_never_both()
      throws Exception {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    List<DeliveryKey> keys = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      keys.add(w.deliver(destination));
    }
    AtomicInteger left = new AtomicInteger(keys.size());
    Callable<List<DeliveryKey>> claimer =
        () -> {
          List<DeliveryKey> own = new ArrayList<>();
          while (left.get() > 0) {
            Claim claim =
                w.ledger.claim(
                    w.request(3, LedgerWorld.ALL_BYTES, destination),
                    TestingClaimRules.everything(WIDE));
            own.addAll(LedgerWorld.keys(claim.leased()));
            left.addAndGet(-claim.leased().size());
          }
          return own;
        };
    Callable<List<DeliveryKey>> shelver =
        () -> {
          while (left.get() > 0) {
            left.addAndGet(
                -w.ledger.shelve(destination.shard(), "dst_a", Reason.DESTINATION_DELETED, 2));
          }
          return List.of();
        };

    List<DeliveryKey> leased = new ArrayList<>();
    AtOnce.all(List.of(claimer, shelver, claimer, shelver)).forEach(leased::addAll);

    assertThat(left).hasValue(0);
    assertThat(leased).doesNotHaveDuplicates();
    assertThat(w.inFlight(destination)).isEqualTo(leased.size());
    assertThat(w.inspect.deadLetters("dst_a")).hasSize(keys.size() - leased.size());
    for (DeliveryKey key : keys) {
      assertThat(w.row(key).state())
          .isEqualTo(leased.contains(key) ? DeliveryState.LEASED : DeliveryState.DEAD);
    }
  }

  private static BudgetState freed(String budgetId, @Nullable BudgetState state, Instant now) {
    return Budget.feed(
        Objects.requireNonNull(state),
        WIDE,
        new Feedback.HandedBack(new Stamp(0, false, false, false)),
        now);
  }
}
