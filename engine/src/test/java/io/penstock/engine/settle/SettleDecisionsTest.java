package io.penstock.engine.settle;

import static io.penstock.engine.testing.Samples.NOW;
import static io.penstock.engine.testing.Samples.leased;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.ledger.SettleRules.LockedBudget;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.limits.Backoff;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.limits.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettleDecisionsTest {
  private static final Duration TOOK = Duration.ofMillis(20);

  private static SettleDecisions decisions(DestinationLimits limits) {
    return new SettleDecisions(id -> limits, new Random(1));
  }

  private static LockedBudget inFlight(int count) {
    BudgetState fresh = BudgetState.initial(BudgetSettings.DEFAULT, 1, NOW);
    return new LockedBudget(
        "d",
        Budget.debit(fresh, BudgetSettings.DEFAULT, new Budget.Debit(count, 0, 0, false), NOW));
  }

  private static Settlement ended(Leased lease, Outcome outcome) {
    Stamp stamp = new Stamp(0, false, lease.lane() == Lane.RETRY, false);
    return new Settlement(lease, new Feedback.Ended(stamp, outcome, TOOK), null, null);
  }

  private static Move moveOf(Settlement settlement, DestinationLimits limits) {
    return decisions(limits).moves(NOW, List.of(settlement), Map.of("d", inFlight(1))).getFirst();
  }

  private static Move moveOf(Settlement settlement) {
    return moveOf(settlement, DestinationLimits.DEFAULT);
  }

  static Stream<Arguments> theDeliveryColumnOfTheMatrix() {
    return Stream.of(
        Arguments.of(new Outcome.Delivered(204, "ok", Hint.NONE), Move.Deliver.class, 1, null),
        Arguments.of(
            new Outcome.Throttled(429, "throttled", Hint.NONE), Move.KeepPlace.class, 0, null),
        Arguments.of(
            new Outcome.Transient(500, "server_error", Hint.NONE), Move.Retry.class, 1, null),
        Arguments.of(new Outcome.Unknown(0, "timed_out"), Move.Retry.class, 1, null),
        Arguments.of(new Outcome.Rejected(400, "rejected"), Move.Die.class, 1, Reason.REJECTED),
        Arguments.of(new Outcome.Unauthorised(401, "unauthorised"), Move.Retry.class, 1, null),
        Arguments.of(new Outcome.Gone(410, "gone"), Move.Die.class, 1, Reason.GONE),
        Arguments.of(
            new Outcome.Unsendable(0, "forbidden_header"),
            Move.Die.class,
            0,
            Reason.FORBIDDEN_HEADER),
        Arguments.of(
            new Outcome.Unsendable(0, "body_too_large"), Move.Die.class, 0, Reason.BODY_TOO_LARGE),
        Arguments.of(new Outcome.Misconfigured(0, "secret_missing"), Move.KeepPlace.class, 0, null),
        Arguments.of(new Outcome.Ours(0, "ledger"), Move.KeepPlace.class, 0, null));
  }

  @ParameterizedTest
  @MethodSource
  void theDeliveryColumnOfTheMatrix(
      Outcome outcome, Class<? extends Move> kind, int spent, @Nullable Reason reason) {
    Move move = moveOf(ended(leased("d", 0), outcome));
    assertThat(move).isInstanceOf(kind);
    int attempt =
        switch (move) {
          case Move.Deliver deliver -> deliver.attempt();
          case Move.Retry retry -> retry.attempt();
          case Move.Die die -> die.attempt();
          case Move.KeepPlace _ -> 0;
        };
    assertThat(attempt).isEqualTo(spent);
    if (move instanceof Move.Die die) {
      assertThat(die.reason()).isEqualTo(reason);
    }
  }

  @Test
  void case05A429NeverEndsADelivery() {
    Leased worn = leased("d", 7, Lane.RETRY);
    assertThat(moveOf(ended(worn, new Outcome.Throttled(429, "throttled", Hint.NONE))))
        .isEqualTo(new Move.KeepPlace());
  }

  @Test
  void case06AttemptsRiseOneByOneToAHardStop() {
    for (int spent = 0; spent < 7; spent++) {
      Move move = moveOf(ended(leased("d", spent), new Outcome.Transient(503, "x", Hint.NONE)));
      assertThat(move).isInstanceOf(Move.Retry.class);
      assertThat(((Move.Retry) move).attempt()).isEqualTo(spent + 1);
      assertThat(((Move.Retry) move).notBefore()).isAfter(NOW);
    }
    assertThat(moveOf(ended(leased("d", 7), new Outcome.Transient(503, "x", Hint.NONE))))
        .isEqualTo(new Move.Die(8, Reason.EXHAUSTED));
  }

  @Test
  void theThirdRefusalOfACredentialIsFinal() {
    var outcome = new Outcome.Unauthorised(403, "unauthorised");
    assertThat(moveOf(ended(leased("d", 0), outcome)))
        .isEqualTo(new Move.Retry(1, NOW.plusSeconds(30)));
    assertThat(moveOf(ended(leased("d", 1), outcome)))
        .isEqualTo(new Move.Retry(2, NOW.plusSeconds(60)));
    assertThat(moveOf(ended(leased("d", 2), outcome)))
        .isEqualTo(new Move.Die(3, Reason.UNAUTHORISED));
  }

  @Test
  void whatMayHaveArrivedGoesToTheShelfWhereTheDestinationWantsIt() {
    var shelf =
        new DestinationLimits(BudgetSettings.DEFAULT, 8, Duration.ofHours(1), OnUnknown.SHELF);
    var outcome = new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT);
    assertThat(moveOf(ended(leased("d", 0), outcome), shelf))
        .isEqualTo(new Move.Die(1, Reason.OUTCOME_UNKNOWN));
  }

  @Test
  void aLostLeaseIsUnknown() {
    var lost =
        new Settlement(
            leased("d", 3), new Feedback.LeaseLost(new Stamp(-1, false, false, false)), null, null);
    assertThat(moveOf(lost)).isInstanceOf(Move.Retry.class);
  }

  @Test
  void whatWasFoundTooOldBeforeSendingDiesWithoutSpendingAnAttempt() {
    var expired =
        new Settlement(
            leased("d", 3),
            new Feedback.HandedBack(new Stamp(0, false, false, false)),
            null,
            Reason.EXPIRED);
    assertThat(moveOf(expired)).isEqualTo(new Move.Die(3, Reason.EXPIRED));
  }

  @Test
  void onlyWhatAppliedFeedsTheBudget() {
    Settlement first = ended(leased("d", 0), new Outcome.Delivered(200, "ok", Hint.NONE));
    Settlement second = ended(leased("d", 1), new Outcome.Delivered(200, "ok", Hint.NONE));
    SettleDecisions decisions = decisions(DestinationLimits.DEFAULT);
    Map<String, LockedBudget> budgets = Map.of("d", inFlight(2));
    decisions.moves(NOW, List.of(first, second), budgets);
    Map<String, BudgetState> fed = decisions.feed(NOW, List.of(first), budgets);
    assertThat(fed).containsOnlyKeys("d");
    assertThat(fed.get("d")).extracting(BudgetState::inFlight).isEqualTo(1);
  }

  @Test
  void case32bARunOfRejectionsHoldsTheDestinationAndKeepsTheBacklog() {
    SettleDecisions decisions = decisions(DestinationLimits.DEFAULT);
    LockedBudget budget = inFlight(32);
    List<Move> moves = new ArrayList<>();
    BudgetState state = budget.state();
    for (int i = 0; i < 32; i++) {
      Settlement one = ended(leased("d", 0), new Outcome.Rejected(404, "rejected"));
      Map<String, LockedBudget> now = Map.of("d", new LockedBudget("d", state));
      var at = NOW.plusMillis(300L * i);
      moves.addAll(decisions.moves(at, List.of(one), now));
      state = decisions.feed(at, List.of(one), now).getOrDefault("d", state);
    }
    assertThat(moves.subList(0, 19)).allMatch(move -> move instanceof Move.Die);
    assertThat(moves.subList(20, 32)).allMatch(move -> move instanceof Move.KeepPlace);
    assertThat(state.closed()).isNotNull();
  }

  @Test
  void attemptsAndBackoffFollowTheOutcomeWhereItHasItsOwn() {
    var own = new RetryPolicy.Own(Duration.ofMinutes(10), null, null, 2);
    DestinationLimits limits =
        DestinationLimits.DEFAULT.with(
            new RetryPolicy(Backoff.DEFAULT, RetryPolicy.Own.NONE, own, Duration.ofSeconds(7), 2));
    Move unknown = moveOf(ended(leased("d", 0), new Outcome.Unknown(0, "timed_out")), limits);
    assertThat(((Move.Retry) unknown).notBefore())
        .isBetween(NOW.plusSeconds(300), NOW.plusSeconds(600));
    assertThat(moveOf(ended(leased("d", 1), new Outcome.Unknown(0, "timed_out")), limits))
        .isEqualTo(new Move.Die(2, Reason.EXHAUSTED));
    assertThat(moveOf(ended(leased("d", 1), new Outcome.Transient(500, "x", Hint.NONE)), limits))
        .isInstanceOf(Move.Retry.class);
    assertThat(moveOf(ended(leased("d", 0), new Outcome.Unauthorised(401, "x")), limits))
        .isEqualTo(new Move.Retry(1, NOW.plusSeconds(7)));
    assertThat(moveOf(ended(leased("d", 1), new Outcome.Unauthorised(401, "x")), limits))
        .isEqualTo(new Move.Die(2, Reason.UNAUTHORISED));
  }
}
