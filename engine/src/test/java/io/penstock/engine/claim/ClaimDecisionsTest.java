package io.penstock.engine.claim;

import static io.penstock.engine.testing.Samples.NOW;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.ClaimRules.Asking;
import io.penstock.engine.ledger.ClaimRules.Grant;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.send.NodeSlots.Share;
import io.penstock.engine.testing.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClaimDecisionsTest {
  private static final BudgetSettings WIDE =
      new BudgetSettings(10_000, 10_000, 5_000, Duration.ofSeconds(15));
  private static final Gate OPEN = new Gate(1, null, null);
  private static final Instant LATER = NOW.plusSeconds(10);

  private static DestinationLimits limits(BudgetSettings budget) {
    return new DestinationLimits(budget, 8, Duration.ofDays(3), OnUnknown.RETRY);
  }

  private static BudgetState budget(int inFlight) {
    BudgetState full = Budget.ask(BudgetState.initial(WIDE, 1, NOW), WIDE, LATER).state();
    return inFlight == 0
        ? full
        : Budget.debit(full, WIDE, new Budget.Debit(inFlight, 0, 0, false), LATER);
  }

  private static Asking asking(String id, String budgetId, BudgetState state) {
    return new Asking(id, Destination.Mode.PUSH, 1, OPEN, budgetId, state);
  }

  private static List<Grant> grants(Share share, List<Asking> asking) {
    List<String> turns = asking.stream().map(Asking::destinationId).toList();
    return new ClaimDecisions(_ -> limits(WIDE), turns, share).decide(LATER, asking);
  }

  private static List<Integer> most(List<Grant> grants) {
    return grants.stream().map(Grant::most).toList();
  }

  @Test
  @DisplayName("case 2: what is left for anyone goes in equal shares, one at least, in turn")
  void case02EachTakesOneQuantum() {
    List<Asking> three =
        List.of(
            asking("a", "a", budget(1)), asking("b", "b", budget(1)), asking("c", "c", budget(1)));
    assertThat(most(grants(new Share(90, 90), three))).containsExactly(30, 30, 30);
    assertThat(most(grants(new Share(4, 4), three))).containsExactly(2, 1, 1);
    assertThat(grants(new Share(2, 2), three))
        .extracting(Grant::destinationId)
        .containsExactly("a", "b");
  }

  @Test
  void theLongestUnservedComesFirstWhateverTheLedgersOrder() {
    ClaimDecisions decisions =
        new ClaimDecisions(_ -> limits(WIDE), List.of("z", "a"), new Share(1, 1));
    List<Asking> asking = List.of(asking("a", "a", budget(0)), asking("z", "z", budget(0)));
    assertThat(decisions.decide(LATER, asking))
        .extracting(Grant::destinationId)
        .containsExactly("z");
  }

  @Test
  void slotsThatAreKeptGoOneEachToThoseWithNothingInFlight() {
    List<Asking> asking =
        List.of(
            asking("busy", "busy", budget(3)),
            asking("idle", "idle", budget(0)),
            asking("idleToo", "idleToo", budget(0)));
    assertThat(grants(new Share(2, 0), asking))
        .extracting(Grant::destinationId, Grant::most)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("idle", 1),
            org.assertj.core.groups.Tuple.tuple("idleToo", 1));
    assertThat(grants(new Share(3, 1), asking)).extracting(Grant::most).containsExactly(1, 1, 1);
  }

  @Test
  void whatIsGrantedNeverExceedsTheRoomAndWastesNoneOfIt() {
    for (int all = 1; all < 200; all += 7) {
      for (int count = 1; count < 60; count += 11) {
        List<Asking> asking =
            IntStream.range(0, count)
                .mapToObj(i -> asking("d" + i, "d" + i, budget(i % 2)))
                .toList();
        Share share = new Share(all, all - all / 10);
        int sum = most(grants(share, asking)).stream().mapToInt(Integer::intValue).sum();
        assertThat(sum).isBetween(share.anyone(), all);
      }
    }
  }

  // ---- shared budgets

  @Test
  void theProbeOfASharedBudgetThatOneDoesNotUseIsTheOthersAtOnce() {
    BudgetState parked = parked();
    Instant probeAt = NOW.plusSeconds(120);
    ClaimDecisions decisions =
        new ClaimDecisions(_ -> limits(WIDE), List.of("first", "second"), new Share(9, 9));
    List<Grant> grants =
        decisions.decide(
            probeAt, List.of(asking("first", "s", parked), asking("second", "s", parked)));
    assertThat(grants).extracting(Grant::destinationId).containsExactly("first");
    assertThat(decisions.debit(probeAt, List.of())).isEmpty();
    ClaimDecisions.Asked second = decisions.asked("second");
    assertThat(second.decision()).isInstanceOf(Decision.Wait.class);
    assertThat(second.afterOthers).isTrue();
    assertThat(decisions.next(second, probeAt)).extracting("probe").isEqualTo(true);
  }

  @Test
  void twoThatShareABudgetNeverLeaseMoreThanItHolds() {
    BudgetSettings two = WIDE.withRate(2, 2);
    BudgetState state =
        Budget.ask(BudgetState.initial(two, 1, NOW), two, NOW.plusSeconds(60)).state();
    ClaimDecisions decisions =
        new ClaimDecisions(_ -> limits(two), List.of("a", "b"), new Share(9, 9));
    List<Grant> grants =
        decisions.decide(
            NOW.plusSeconds(60), List.of(asking("a", "s", state), asking("b", "s", state)));
    assertThat(grants).extracting(Grant::most).containsExactly(2);
    List<Leased> leased = List.of(Samples.leased("a", 0), Samples.leased("a", 1));
    BudgetState after = requireNonNull(decisions.debit(NOW.plusSeconds(60), leased).get("s"));
    assertThat(after.inFlight()).isEqualTo(2);
    assertThat(decisions.next(decisions.asked("b"), NOW.plusSeconds(60)))
        .isInstanceOf(Decision.Wait.class);
  }

  @Test
  void aPaceEndsWellBeforeTheLatestStart() {
    BudgetState cut =
        Budget.feed(
            budget(1),
            WIDE,
            new Feedback.Ended(
                new Stamp(0, false, false, false),
                new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT),
                Duration.ofSeconds(1)),
            LATER);
    ClaimDecisions decisions =
        new ClaimDecisions(_ -> limits(WIDE), List.of("d"), new Share(10, 10));
    decisions.decide(LATER.plusSeconds(1), List.of(asking("d", "d", cut)));
    decisions.debit(
        LATER.plusSeconds(1),
        IntStream.range(0, 10).mapToObj(i -> Samples.leased("d", i)).toList());
    ClaimDecisions.Asked asked = decisions.asked("d");
    assertThat(asked.paced(0)).isZero();
    assertThat(asked.paced(5)).isPositive().isLessThan(asked.paced(9));
    assertThat(asked.paced(9)).isLessThanOrEqualTo(Duration.ofMillis(72));
  }

  private static BudgetState parked() {
    BudgetState state = budget(1);
    Outcome late = new Outcome.Throttled(429, "throttled", new Hint(Duration.ofSeconds(31)));
    Feedback ended =
        new Feedback.Ended(new Stamp(0, false, false, false), late, Duration.ofMillis(5));
    state = Budget.feed(state, WIDE, ended, LATER);
    assertThat(state.parked()).isTrue();
    return state;
  }
}
