package io.penstock.testkit.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.RefuseReason;
import io.penstock.budget.Stamp;
import io.penstock.budget.testing.TestClock;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.gate.GateKeeper;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.observe.NodeListener;
import io.penstock.testkit.memory.MemoryLedger;
import io.penstock.testkit.memory.ThreadInterleave;
import io.penstock.testkit.rows.AuditSeen;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The gate follows its budget, and never overrules an operator. */
class GateKeeperTest {
  private static final Audit OPERATOR = new Audit("key:operator", "mended");
  private static final String ID = "d";
  private static final GateScope GATE = new GateScope.OfDestination(ID);

  private final TestClock clock = new TestClock();
  private final MemoryLedger ledger =
      new MemoryLedger(1, clock, new ThreadInterleave(() -> false), _ -> {}, Set.of());
  private final GateKeeper keeper = new GateKeeper(ledger, _ -> 0, () -> {}, NodeListener.NONE);

  @BeforeEach
  void aDestinationWhoseBudgetClosedItself() {
    ledger.createTenant("acme", "Acme", OPERATOR);
    ledger.createDestination(
        new Destination(
            ID, 0, "acme", Destination.Mode.PUSH, "http://x/", List.of(), List.of(), ID, 0),
        (_, _, now) -> closed(new Outcome.Misconfigured(0, "secret_missing")),
        OPERATOR);
  }

  private BudgetState closed(Outcome outcome) {
    BudgetState open = BudgetState.initial(BudgetSettings.DEFAULT, 1, clock.instant());
    Feedback feedback =
        new Feedback.Ended(new Stamp(0, false, false, false), outcome, Duration.ZERO);
    return Budget.feed(open, BudgetSettings.DEFAULT, feedback, clock.instant());
  }

  private void operator(GateAction action) {
    var _ =
        ledger.changeGate(
            GATE,
            action,
            OPERATOR,
            (_, state, now) -> Budget.reopen(requireNonNull(state), BudgetSettings.DEFAULT, now));
  }

  private void deliver() {
    var _ =
        ledger.accept(
            List.of(
                new NewEvent(
                    new UUID(clock.instant().toEpochMilli() << 16 | 0x7000, Long.MIN_VALUE | 1),
                    "acme",
                    "t",
                    "text/plain",
                    List.of(),
                    new byte[] {1},
                    Urgency.INTERACTIVE,
                    null,
                    List.of(ID))));
  }

  private List<String> audited() {
    return ledger.inspect().audit().stream()
        .map(AuditSeen::action)
        .filter(action -> action.startsWith("gate."))
        .toList();
  }

  @Test
  void aBudgetThatClosedItselfIsHeld() {
    keeper.follow(ID, RefuseReason.HELD_MISCONFIGURED);
    keeper.runOnce();
    assertThat(audited()).containsExactly("gate.hold");
  }

  @Test
  void aHoldThatComesLateDoesNotUndoAnOperatorsRelease() {
    keeper.follow(ID, RefuseReason.HELD_MISCONFIGURED); // and the ledger does not answer for long
    operator(GateAction.HOLD); // another node's keeper was quicker
    operator(GateAction.RELEASE);
    keeper.runOnce();
    assertThat(audited()).containsExactly("gate.hold", "gate.release");
  }

  @Test
  void aHoldForAnotherReasonThanTheBudgetsIsNotWritten() {
    keeper.follow(ID, RefuseReason.HELD_REJECTED);
    keeper.runOnce();
    assertThat(audited()).isEmpty();
  }

  @Test
  void whatWaitsBehindADisabledGateGoesToTheShelfUnlessAnOperatorEnabledIt() {
    operator(GateAction.PAUSE);
    deliver();
    operator(GateAction.DISABLE);
    long seen = requireNonNull(ledger.gateNumbers(List.of(ID)).get(ID));
    keeper.shelve(ID, Reason.DESTINATION_DISABLED, seen);
    operator(GateAction.ENABLE);
    keeper.runOnce();
    assertThat(ledger.inspect().deadLetters(ID)).isEmpty();

    operator(GateAction.DISABLE);
    long again = requireNonNull(ledger.gateNumbers(List.of(ID)).get(ID));
    keeper.shelve(ID, Reason.DESTINATION_DISABLED, again);
    keeper.runOnce();
    assertThat(ledger.inspect().deadLetters(ID)).hasSize(1);
  }
}
