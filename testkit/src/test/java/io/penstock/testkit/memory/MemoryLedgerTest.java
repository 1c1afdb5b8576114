package io.penstock.testkit.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.testing.TestClock;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.testkit.contract.TestingClaimRules;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.memory.Interleave.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What happens between the steps of a transaction. */
class MemoryLedgerTest {
  private static final Audit BY = new Audit("test", "");
  private static final BudgetSettings WIDE =
      new BudgetSettings(1_000, 1_000, 100, Duration.ofSeconds(15));

  private final TestClock clock = new TestClock();
  private final StoppingInterleave interleave = new StoppingInterleave();
  private final List<Commit> commits = new ArrayList<>();
  private MemoryLedger ledger = newLedger(Set.of());
  private long events;

  private MemoryLedger newLedger(Set<LedgerFault> faults) {
    MemoryLedger made = new MemoryLedger(1, clock, interleave, commits::add, faults);
    made.createTenant("acme", "Acme", BY);
    assertThat(
            made.createDestination(
                new Destination(
                    "dst_a",
                    0,
                    "acme",
                    Destination.Mode.PUSH,
                    "http://a",
                    List.of(),
                    List.of(),
                    "dst_a",
                    1),
                (id, state, now) -> BudgetState.initial(WIDE, 1, now),
                BY))
        .isPresent();
    return made;
  }

  private void deliver() {
    events++;
    ledger.accept(
        List.of(
            new NewEvent(
                new UUID(0x7000, Long.MIN_VALUE + events),
                "acme",
                "t",
                "text/plain",
                List.of(),
                new byte[1],
                Urgency.BATCH,
                null,
                List.of("dst_a"))));
  }

  private Claim claim(int most) {
    return ledger.claim(
        new ClaimRequest(0, List.of("dst_a"), "node", most, 1_000),
        TestingClaimRules.everything(WIDE));
  }

  /** Does it once, when a transaction of this kind comes to this step. */
  private void once(Operation operation, Step step, Runnable what) {
    boolean[] done = {false};
    interleave.at =
        point -> {
          if (!done[0] && point.operation() == operation && point.step() == step) {
            done[0] = true;
            what.run();
          }
        };
  }

  private static void fail() {
    throw new LedgerException("planted");
  }

  @Test
  void a_failure_before_the_commit_stores_nothing_and_one_after_it_everything() {
    once(Operation.ACCEPT, Step.COMMIT, MemoryLedgerTest::fail);
    assertThatThrownBy(this::deliver).isInstanceOf(LedgerException.class);
    assertThat(ledger.inspect().hot()).isEmpty();
    once(Operation.ACCEPT, Step.COMMITTED, MemoryLedgerTest::fail);
    assertThatThrownBy(this::deliver).isInstanceOf(LedgerException.class);
    assertThat(ledger.inspect().hot()).hasSize(1);
  }

  @Test
  void a_pick_from_an_old_snapshot_does_not_lease_what_was_leased_meanwhile() {
    deliver();
    deliver();
    interleave.old = true;
    List<Leased> others = new ArrayList<>();
    once(Operation.CLAIM, Step.LOCK, () -> others.addAll(claim(1).leased()));
    Claim claim = claim(9);
    assertThat(others).hasSize(1);
    assertThat(claim.picked()).containsEntry("dst_a", 2);
    assertThat(claim.leased()).hasSize(1).doesNotContainAnyElementsOf(others);
    assertThat(ledger.inspect().budget("dst_a").inFlight()).isEqualTo(2);
  }

  @Test
  void the_planted_fault_of_the_re_check_leases_twice() {
    ledger = newLedger(Set.of(LedgerFault.CLAIM_WITHOUT_RECHECK));
    deliver();
    interleave.old = true;
    List<Leased> others = new ArrayList<>();
    once(Operation.CLAIM, Step.LOCK, () -> others.addAll(claim(1).leased()));
    assertThat(claim(9).leased()).hasSize(1);
    assertThat(others).hasSize(1);
  }

  @Test
  @DisplayName("case 32a: a transaction that its node left idle is ended, and its locks are free")
  void case32a_an_idle_transaction_is_ended_by_the_ledger() {
    deliver();
    List<Claim> meanwhile = new ArrayList<>();
    interleave.at =
        point -> {
          if (point.operation() == Operation.CLAIM && point.step() == Step.WRITE) {
            interleave.at = other -> {};
            meanwhile.add(claim(9));
            ledger.abort(point.transaction());
            meanwhile.add(claim(9));
          }
        };
    assertThatThrownBy(() -> claim(9)).isInstanceOf(LedgerException.class);
    assertThat(meanwhile.getFirst().skipped()).containsExactly("dst_a");
    assertThat(meanwhile.getLast().leased()).hasSize(1);
  }

  @Test
  void what_waits_too_long_for_a_lock_fails_and_changes_nothing() {
    deliver();
    Leased lease = claim(1).leased().getFirst();
    deliver();
    once(
        Operation.CLAIM,
        Step.PICK,
        () ->
            assertThatThrownBy(
                    () -> ledger.cancel(lease.key(), BY, (id, state, now) -> state(state)))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("2000 ms"));
    assertThat(claim(1).leased()).hasSize(1);
    assertThat(ledger.inspect().delivery(lease.key()))
        .hasValueSatisfying(row -> assertThat(row.leaseNo()).isEqualTo(lease.leaseNo()));
  }

  private static BudgetState state(@Nullable BudgetState state) {
    return requireNonNull(state);
  }

  @Test
  void the_journal_hears_every_commit_with_its_rows() {
    commits.clear();
    deliver();
    claim(1);
    assertThat(commits)
        .extracting(Commit::operation)
        .containsExactly(Operation.ACCEPT, Operation.CLAIM);
    assertThat(commits.getLast().changes())
        .hasOnlyElementsOfTypes(Change.Delivery.class, Change.Budget.class);
  }
}
