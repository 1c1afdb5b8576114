package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static io.penstock.testkit.contract.LedgerWorld.WIDE;
import static io.penstock.testkit.contract.WaitingContract.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.BudgetRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Pause, hold and disable, of one destination, a tenant, or everything. */
public interface GateContract extends InWorld {

  @Test
  @DisplayName("case 16: a pause covers first attempts, retries and redrives, and keeps them all")
  default void case16_a_pause_covers_every_path_and_keeps_everything() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey redriven = w.dead(destination);
    DeliveryKey retry = w.retrying(destination, Urgency.INTERACTIVE);
    w.clock.advance(Duration.ofSeconds(4));
    w.ledger.redrive(redriven, BY);
    DeliveryKey first = w.deliver(destination);

    GateChange paused = change(w, destination, GateAction.PAUSE, NEVER);
    assertThat(paused.changed()).isTrue();
    DeliveryKey meanwhile = w.deliver(destination);

    TestingClaimRules rules = TestingClaimRules.everything(WIDE);
    assertThat(w.claim(rules, destination).leased()).isEmpty();
    Gate gate = rules.asked().getFirst().gate();
    assertThat(gate.closed()).isEqualTo(Gate.Closed.PAUSED);
    assertThat(gate.gateNo()).isEqualTo(paused.gateNo());
    for (DeliveryKey key : List.of(first, meanwhile, retry, redriven)) {
      assertThat(w.row(key).waits()).isTrue();
    }

    change(w, destination, GateAction.RESUME, (id, state, now) -> Objects.requireNonNull(state));
    assertThat(LedgerWorld.keys(w.claim(destination).leased()))
        .containsExactly(first, meanwhile, retry, redriven);
  }

  @Test
  default void each_change_raises_the_gate_number_and_a_repeat_changes_nothing() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    long before = gateNo(w, destination);
    long version = w.ledger.gatesVersion();
    GateChange paused = change(w, destination, GateAction.PAUSE, NEVER);
    assertThat(gateNo(w, destination)).isGreaterThan(before);
    assertThat(w.ledger.gatesVersion()).isGreaterThan(version);
    long after = w.ledger.gatesVersion();

    GateChange again = change(w, destination, GateAction.PAUSE, NEVER);
    assertThat(again.changed()).isFalse();
    assertThat(again.gateNo()).isEqualTo(paused.gateNo());
    assertThat(w.ledger.gatesVersion()).isEqualTo(after);
    assertThat(change(w, destination, GateAction.RELEASE, NEVER).changed()).isFalse();
  }

  @Test
  default void reopening_gives_the_budgets_behind_it_their_new_state() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.deliver(destination);
    w.claimOne(destination);
    change(w, destination, GateAction.PAUSE, NEVER);
    BudgetState before = w.inspect.budget("dst_a");
    w.clock.advance(Duration.ofSeconds(9));
    BudgetRule reopen =
        (budgetId, state, now) -> Budget.reopen(Objects.requireNonNull(state), WIDE, now);
    change(w, destination, GateAction.RESUME, reopen);
    BudgetState wanted = Budget.reopen(before, WIDE, w.now());
    assertThat(wanted.generation()).isNotEqualTo(before.generation());
    assertThat(w.inspect.budget("dst_a")).isEqualTo(wanted);
  }

  @Test
  default void a_tenants_gate_covers_its_destinations_only() {
    LedgerWorld w = world();
    w.ledger.createTenant("other", "Other", BY);
    Destination mine = w.destination("dst_mine");
    Destination alien = w.destination("dst_alien", "other", WIDE);
    w.deliver(mine);
    long aliens = gateNo(w, alien);
    w.ledger.changeGate(new GateScope.OfTenant(LedgerWorld.TENANT), GateAction.PAUSE, BY, NEVER);
    assertThat(closed(w, mine)).isEqualTo(Gate.Closed.PAUSED);
    assertThat(closed(w, alien)).isNull();
    assertThat(gateNo(w, alien)).isEqualTo(aliens);
  }

  @Test
  default void the_gate_of_everything_covers_everything_and_reopens_every_budget() {
    LedgerWorld w = world();
    Destination a = w.destination("dst_a");
    Destination b = w.destination("dst_b");
    w.ledger.changeGate(new GateScope.Everything(), GateAction.PAUSE, BY, NEVER);
    assertThat(closed(w, a)).isEqualTo(Gate.Closed.PAUSED);
    assertThat(closed(w, b)).isEqualTo(Gate.Closed.PAUSED);
    List<String> reopened = new ArrayList<>();
    w.ledger.changeGate(
        new GateScope.Everything(),
        GateAction.RESUME,
        BY,
        (budgetId, state, now) -> {
          reopened.add(budgetId);
          return Objects.requireNonNull(state);
        });
    assertThat(reopened).containsExactlyInAnyOrder("dst_a", "dst_b");
    assertThat(closed(w, a)).isNull();
  }

  @Test
  default void flags_are_independent_and_shown_disabled_before_paused_before_held() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    BudgetRule same = (id, state, now) -> Objects.requireNonNull(state);
    change(w, destination, GateAction.HOLD, NEVER);
    assertThat(closed(w, destination)).isEqualTo(Gate.Closed.HELD);
    change(w, destination, GateAction.PAUSE, NEVER);
    assertThat(closed(w, destination)).isEqualTo(Gate.Closed.PAUSED);
    change(w, destination, GateAction.DISABLE, NEVER);
    assertThat(closed(w, destination)).isEqualTo(Gate.Closed.DISABLED);
    change(w, destination, GateAction.ENABLE, same);
    assertThat(closed(w, destination)).isEqualTo(Gate.Closed.PAUSED);
    change(w, destination, GateAction.RESUME, same);
    assertThat(closed(w, destination)).isEqualTo(Gate.Closed.HELD);
    change(w, destination, GateAction.RELEASE, same);
    assertThat(closed(w, destination)).isNull();
    assertThat(asked(w, destination).reopenedAt()).isEqualTo(w.now());
  }

  @Test
  default void a_pause_leaves_what_is_leased_to_its_holder() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.deliver(destination);
    var lease = w.claimOne(destination);
    change(w, destination, GateAction.PAUSE, NEVER);
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.LEASED);
    w.ledger.settle(
        key.shard(), List.of(Settling.handedBack(lease)), TestingSettleRules.keepsPlace());
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.PENDING);
    assertThat(w.inFlight(destination)).isZero();
  }

  @Test
  default void a_gate_follows_its_budget_only_while_the_budget_says_so() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    int audited = w.inspect.audit().size();
    assertThat(w.ledger.followBudget("dst_a", GateAction.HOLD, BY, state -> false)).isEmpty();
    assertThat(closed(w, destination)).isNull();
    assertThat(w.inspect.audit()).hasSize(audited);

    long version = w.ledger.gatesVersion();
    BudgetState budget = w.inspect.budget("dst_a");
    OptionalLong gateNo =
        w.ledger.followBudget("dst_a", GateAction.HOLD, BY, state -> state.equals(budget));
    assertThat(gateNo).hasValue(gateNo(w, destination));
    assertThat(closed(w, destination)).isEqualTo(Gate.Closed.HELD);
    assertThat(w.ledger.gatesVersion()).isGreaterThan(version);
    assertThat(w.inspect.audit()).hasSize(audited + 1);

    long held = w.ledger.gatesVersion();
    assertThat(w.ledger.followBudget("dst_a", GateAction.HOLD, BY, state -> true))
        .isEqualTo(gateNo);
    assertThat(w.ledger.gatesVersion()).isEqualTo(held);
  }

  @Test
  default void a_deletion_counts_as_a_change_of_the_gate_and_no_reopening_undoes_it() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    change(w, destination, GateAction.PAUSE, NEVER);
    assertThat(w.ledger.deleteDestination("dst_a", BY)).isTrue();
    assertThat(gateNo(w, destination)).isEqualTo(2);
    assertThat(change(w, destination, GateAction.PAUSE, NEVER).gateNo()).isEqualTo(2);
    BudgetRule same = (id, state, now) -> Objects.requireNonNull(state);
    assertThat(change(w, destination, GateAction.RESUME, same).gateNo()).isEqualTo(3);
    assertThat(gateNo(w, destination)).isEqualTo(3);
    assertThat(closed(w, destination)).isEqualTo(Gate.Closed.DELETED);
  }

  @Test
  default void a_gate_of_nothing_is_refused() {
    LedgerWorld w = world();
    assertThatThrownBy(() ->
            w.ledger.changeGate(
                new GateScope.OfDestination("dst_none"), GateAction.PAUSE, BY, NEVER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dst_none");
    assertThat(w.ledger.gateNumbers(List.of("dst_none"))).isEmpty();
    assertThat(w.ledger.followBudget("dst_none", GateAction.HOLD, BY, state -> true)).isEmpty();
  }

  @Test
  default void gate_changes_are_in_the_audit() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    int before = w.inspect.audit().size();
    change(w, destination, GateAction.PAUSE, NEVER);
    change(w, destination, GateAction.PAUSE, NEVER);
    assertThat(w.inspect.audit()).hasSize(before + 1);
    assertThat(w.inspect.audit().getLast().actor()).isEqualTo(BY.actor());
    assertThat(w.inspect.audit().getLast().subject()).contains("dst_a");
  }

  private static GateChange change(
      LedgerWorld w, Destination destination, GateAction action, BudgetRule rule) {
    return w.ledger.changeGate(new GateScope.OfDestination(destination.id()), action, BY, rule);
  }

  private static long gateNo(LedgerWorld w, Destination destination) {
    Map<String, Long> numbers = w.ledger.gateNumbers(List.of(destination.id()));
    return Objects.requireNonNull(numbers.get(destination.id()));
  }

  private static Gate asked(LedgerWorld w, Destination destination) {
    TestingClaimRules rules = TestingClaimRules.granting(WIDE, asking -> null);
    w.claim(rules, destination);
    return rules.asked().getFirst().gate();
  }

  private static Gate.@Nullable Closed closed(LedgerWorld w, Destination destination) {
    return asked(w, destination).closed();
  }
}
