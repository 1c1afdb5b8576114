package io.penstock.server.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.JobFeedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.work.WorkSettings;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.postgres.read.CauseView;
import io.penstock.postgres.read.DeliveryView;
import io.penstock.postgres.read.DestinationView;
import io.penstock.postgres.read.GateView;
import io.penstock.postgres.read.ShownState;
import io.penstock.postgres.read.WaitingView;
import io.penstock.postgres.read.WaitingView.Ahead;
import io.penstock.postgres.read.WaitingView.Head;
import io.penstock.server.destination.DestinationState;
import io.penstock.server.testing.ApiDocument;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every reason for which something can wait: its code, its numbers, its sentence, its time. */
class WhyTest {
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  private static final GateView OPEN = new GateView(false, false, false, 0, null);
  private static final NodeLoad IDLE = new NodeLoad("node-1", 0, 512);
  private static final BudgetSettings PLAIN =
      new BudgetSettings(10, 10, 32, Duration.ofSeconds(15));

  private BudgetSettings settings = PLAIN;
  private BudgetState budget = BudgetState.initial(PLAIN, 1, NOW);
  private GateView own = OPEN;
  private GateView tenant = OPEN;
  private GateView everything = OPEN;
  private Gate.@Nullable Closed closed;
  private final List<CauseView> causes = new ArrayList<>();
  private final List<Head> heads = new ArrayList<>();
  private final List<Ahead> ahead = new ArrayList<>();
  private @Nullable DeliveryView delivery;
  private NodeLoad load = IDLE;
  private boolean byOperator = true;

  private Why why() {
    Destination destination =
        new Destination(
            "d", 0, "acme", Destination.Mode.PUSH, "http://x/", List.of(), List.of(), "d", 0);
    WaitingView view =
        new WaitingView(
            NOW,
            new DestinationView(destination, NOW, own, new Gate(1, closed, null), budget),
            everything,
            tenant,
            causes,
            heads,
            delivery,
            ahead);
    return Why.of(view, settings, new Why.Asked(load, byOperator)).why();
  }

  private void with(BudgetSettings other) {
    settings = other;
    budget = BudgetState.initial(other, 1, NOW.minusSeconds(3_600));
  }

  private void take(int count, int retries, int batch) {
    budget = Budget.debit(budget, settings, new Budget.Debit(count, retries, batch, false), NOW);
  }

  private void answered(Outcome outcome) {
    Stamp stamp = new Stamp(budget.generation(), false, false, false);
    Feedback feedback = new Feedback.Ended(stamp, outcome, Duration.ofMillis(20));
    budget = Budget.feed(budget, settings, feedback, NOW);
  }

  private void head(Lane lane, Urgency urgency, Instant notBefore) {
    heads.add(new Head(lane, urgency, notBefore, NOW.minusSeconds(60)));
  }

  private void due() {
    head(Lane.FIRST, Urgency.INTERACTIVE, NOW.minusSeconds(1));
  }

  private void delivery(
      DeliveryState state, Lane lane, Instant notBefore, @Nullable Reason reason) {
    boolean leased = state == DeliveryState.LEASED;
    delivery =
        new DeliveryView(
            new DeliveryKey(0, "d", new UUID(1, 2)),
            "acme",
            state,
            ShownState.PENDING,
            lane,
            Urgency.INTERACTIVE,
            lane == Lane.RETRY ? 2 : 0,
            notBefore,
            NOW,
            leased ? NOW.plusSeconds(20) : null,
            leased ? "node-2" : null,
            503,
            reason,
            0,
            1,
            reason == null ? null : NOW);
  }

  private static Estimate estimate(Why why) {
    return Objects.requireNonNull(why.estimate());
  }

  @Test
  void nothingThatWaitsIsSaid() {
    assertThat(why().code()).isEqualTo("nothing_waits");
    closed = Gate.Closed.PAUSED;
    tenant = new GateView(false, true, false, 1, null);
    assertThat(why().sentence()).contains("Nothing waits").contains("The tenant acme is paused");
  }

  @Test
  void whatMayGoIsDueNow() {
    due();
    assertThat(why().code()).isEqualTo("due");
    assertThat(estimate(why()).at()).isEqualTo(NOW);
  }

  @Test
  void fullSlotsOfTheNodeAreNamed() {
    due();
    load = new NodeLoad("node-1", 512, 512);
    assertThat(why().code()).isEqualTo("node_slots");
    assertThat(why().sentence())
        .isEqualTo("All 512 slots of node node-1 are in flight; the next answer frees one.");
    assertThat(why().numbers()).containsEntry("slots", 512);
  }

  @Test
  void anEmptyBucketNamesItsRateAndItsTime() {
    due();
    take(1, 0, 0);
    Why why = why();
    assertThat(why.code()).isEqualTo("rate");
    assertThat(why.numbers()).containsEntry("ceiling_per_second", 10.0).containsKey("tokens");
    assertThat(why.until()).isEqualTo(NOW.plusMillis(100));
    assertThat(estimate(why)).isEqualTo(new Estimate(NOW.plusMillis(100), false, false));
    assertThat(estimate(why).basis()).isEqualTo("time");
  }

  @Test
  void aRateOfZeroIsSaidAlsoWhenNothingWaits() {
    with(PLAIN.withRate(0, 1));
    assertThat(why().code()).isEqualTo("nothing_waits");
    assertThat(why().sentence()).contains("rate_per_second is 0 in limits.yaml");
    due();
    assertThat(why().code()).isEqualTo("rate_zero");
    assertThat(DestinationState.of(new Gate(1, null, null), budget, settings).word())
        .isEqualTo("rate_zero");
    assertThat(DestinationState.of(new Gate(1, Gate.Closed.PAUSED, null), budget, settings).word())
        .isEqualTo("paused");
  }

  @Test
  void aDeliveryBehindOthersIsToldHowManyAndWhen() {
    delivery(DeliveryState.PENDING, Lane.FIRST, NOW.minusSeconds(1), null);
    ahead.add(new Ahead(Lane.FIRST, Urgency.INTERACTIVE, 100));
    Why why = why();
    assertThat(why.code()).isEqualTo("in_line");
    assertThat(why.numbers()).containsEntry("ahead", 100).containsEntry("admitted", 1);
    assertThat(why.sentence()).contains("100 go before it; expected to go in about 10.0 s.");
    assertThat(estimate(why).at()).isBetween(NOW.plusMillis(9_900), NOW.plusMillis(10_200));
    ahead.set(0, new Ahead(Lane.FIRST, Urgency.INTERACTIVE, WaitingView.MOST_AHEAD));
    assertThat(why().sentence()).contains("10,000 or more go before it").contains("more than");
    assertThat(estimate(why()).atLeast()).isTrue();
  }

  @Test
  void slotsThatAreTakenAreCounted() {
    with(PLAIN.withSlots(2));
    due();
    take(2, 0, 0);
    assertThat(why().code()).isEqualTo("slots");
    assertThat(why().numbers()).containsEntry("in_flight", 2).containsEntry("slots", 2);
    assertThat(estimate(why()).basis()).isEqualTo("receiver");
  }

  @Test
  void aPinSaysThatTheReceiverAskedForIt() {
    due();
    answered(new Outcome.Throttled(429, "throttled", new Hint(Duration.ofSeconds(10))));
    assertThat(why().code()).isEqualTo("pinned");
    assertThat(why().numbers()).containsEntry("by_hint", true);
    assertThat(why().sentence()).contains("the receiver asked to be left alone");
    assertThat(estimate(why()).at()).isAfterOrEqualTo(NOW.plusSeconds(10));
  }

  @Test
  void aParkedDestinationNamesItsNextProbe() {
    due();
    answered(new Outcome.Throttled(429, "throttled", new Hint(Duration.ofMinutes(5))));
    assertThat(why().code()).isEqualTo("parked");
    assertThat(why().numbers()).containsEntry("probe_out", false);
    assertThat(estimate(why()).basis()).isEqualTo("receiver");
  }

  @Test
  void aSpentQuotaWaitsForTheNextDay() {
    with(PLAIN.with(new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, 1, 0)));
    due();
    take(1, 0, 0);
    assertThat(why().code()).isEqualTo("quota");
    assertThat(why().numbers()).containsEntry("used", 1L).containsEntry("limit", 1L);
    Instant midnight = Instant.parse("2026-03-11T00:00:00Z");
    assertThat(estimate(why()).at()).isBetween(midnight, midnight.plusSeconds(61));
    assertThat(estimate(why()).basis()).isEqualTo("time");
  }

  @Test
  void theReserveOfAQuotaHoldsBatchWorkAlone() {
    with(PLAIN.with(new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, 4, 0.5)));
    head(Lane.FIRST, Urgency.BATCH, NOW.minusSeconds(1));
    take(2, 0, 2);
    assertThat(why().code()).isEqualTo("quota");
    heads.clear();
    due();
    assertThat(why().code()).isEqualTo("due");
  }

  @Test
  void retriesWithoutAnAllowanceWaitForIt() {
    with(PLAIN.withRate(100, 100));
    // Two of three fail: too few in a row for a cut, so that the rate has tokens left.
    for (int i = 0; i < 10; i++) {
      take(1, 0, 0);
      answered(
          i % 3 == 2
              ? new Outcome.Delivered(200, "ok", Hint.NONE)
              : new Outcome.Transient(500, "server_error", Hint.NONE));
    }
    take(12, 12, 0);
    for (int i = 0; i < 12; i++) {
      answered(new Outcome.Rejected(400, "rejected"));
    }
    head(Lane.RETRY, Urgency.INTERACTIVE, NOW.minusSeconds(1));
    budget = Budget.ask(budget, settings, NOW).state();
    Why why = why();
    assertThat(why.code()).isEqualTo("retry_allowance");
    assertThat(why.estimate()).isNotNull();
  }

  @Test
  void aTubeWithoutWorkerSecondsSaysHowManyItLacks() {
    with(PLAIN.with(WorkSettings.of(0.1, Duration.ofSeconds(60)).withConcurrency(5)));
    due();
    take(1, 0, 0);
    Duration charged = Budget.chargePerJob(budget, settings, NOW);
    Stamp stamp = new Stamp(budget.generation(), false, false, false);
    Outcome done = new Outcome.Delivered(200, "ok", Hint.NONE);
    budget =
        Budget.feedJob(
            budget, settings, new JobFeedback.Ended(stamp, done, charged, charged, false), NOW);
    Why why = why();
    assertThat(why.code()).isEqualTo("worker_seconds");
    assertThat(estimate(why).at()).isAfter(NOW.plusSeconds(60));
    assertThat(why.numbers()).containsEntry("allotment", 0.1);
  }

  @Test
  void aRetryThatBacksOffSaysUntilWhenAndAfterWhat() {
    delivery(DeliveryState.RETRYING, Lane.RETRY, NOW.plusSeconds(25), null);
    assertThat(why().code()).isEqualTo("back_off");
    assertThat(why().sentence())
        .isEqualTo(
            "Its retry is scheduled for 2026-03-10T12:00:25Z, in 25.0 s after 2 attempts"
                + " (last status 503).");
    assertThat(estimate(why())).isEqualTo(new Estimate(NOW.plusSeconds(25), false, false));
    delivery(DeliveryState.PENDING, Lane.FIRST, NOW.plusSeconds(25), null);
    assertThat(why().code()).isEqualTo("scheduled");
  }

  @Test
  void theHeadThatGoesFirstIsTheOneThatIsMeant() {
    head(Lane.FIRST, Urgency.BATCH, NOW.plusSeconds(90));
    head(Lane.RETRY, Urgency.INTERACTIVE, NOW.plusSeconds(5));
    assertThat(why().code()).isEqualTo("back_off");
    assertThat(why().until()).isEqualTo(NOW.plusSeconds(5));
  }

  @Test
  void whoClosedAGateAndWhyIsToldToOperatorsOnly() {
    due();
    closed = Gate.Closed.PAUSED;
    own = new GateView(false, true, false, 1, null);
    causes.add(
        new CauseView("destination", "d", Gate.Closed.PAUSED, NOW, "key:ps_1", "receiver is down"));
    assertThat(why().sentence())
        .isEqualTo(
            "The destination is paused since 2026-03-10T12:00:00Z by key:ps_1 (receiver is down):"
                + " everything is kept until somebody resumes it.");
    assertThat(why().numbers()).containsEntry("scope", "destination");
    assertThat(why().estimate()).isNull();
    byOperator = false;
    assertThat(why().sentence()).doesNotContain("ps_1").doesNotContain("receiver is down");
    assertThat(why().numbers()).doesNotContainKeys("by", "reason");
  }

  @Test
  void theScopeOfAClosedGateIsNamed() {
    due();
    for (Gate.Closed one : List.of(Gate.Closed.PAUSED, Gate.Closed.HELD, Gate.Closed.DISABLED)) {
      closed = one;
      GateView shut =
          new GateView(
              one == Gate.Closed.DISABLED,
              one == Gate.Closed.PAUSED,
              one == Gate.Closed.HELD,
              1,
              null);
      own = OPEN;
      tenant = OPEN;
      everything = shut;
      assertThat(why().numbers()).containsEntry("scope", "everything");
      assertThat(why().sentence()).startsWith("The whole installation is ");
      tenant = shut;
      assertThat(why().numbers()).containsEntry("scope", "tenant");
      own = shut;
      assertThat(why().numbers()).containsEntry("scope", "destination");
      assertThat(why().code()).isEqualTo(one.name().toLowerCase(Locale.ROOT));
    }
    closed = Gate.Closed.DELETED;
    assertThat(why().code()).isEqualTo("deleted");
  }

  @Test
  void aBudgetThatClosedItselfSaysWhatWasWrong() {
    due();
    answered(new Outcome.Misconfigured(0, "secret_missing"));
    assertThat(why().code()).isEqualTo("held_misconfigured");
    closed = Gate.Closed.HELD;
    own = new GateView(false, false, true, 1, null);
    assertThat(why().code()).isEqualTo("held");
    assertThat(why().sentence()).contains("our configuration of it is wrong");
    closed = null;
    own = OPEN;
    budget = BudgetState.initial(PLAIN, 1, NOW);
    answered(new Outcome.Gone(410, "gone"));
    assertThat(why().code()).isEqualTo("gone");
    assertThat(why().estimate()).isNull();
    with(PLAIN.withRate(0, 1));
    assertThat(why().code()).isEqualTo("rate_zero");
  }

  @Test
  void whatIsUnderWayOrOverSaysSo() {
    delivery(DeliveryState.LEASED, Lane.FIRST, NOW, null);
    assertThat(why().code()).isEqualTo("leased");
    assertThat(why().sentence()).contains("node-2");
    delivery(DeliveryState.DELIVERED, Lane.FIRST, NOW, null);
    assertThat(why().code()).isEqualTo("delivered");
    delivery(DeliveryState.CANCELLED, Lane.FIRST, NOW, Reason.CANCELLED);
    assertThat(why().code()).isEqualTo("cancelled");
    delivery(DeliveryState.DEAD, Lane.RETRY, NOW, Reason.EXHAUSTED);
    assertThat(why().sentence()).contains("(exhausted) after 2 attempts").contains("redrive");
  }

  @Test
  void everyCodeOfAWaitIsInTheDocument() {
    Set<String> known = new HashSet<>();
    ApiDocument.load()
        .root()
        .at("/components/schemas/Why/properties/code/enum")
        .forEach(code -> known.add(code.asString("")));
    assertThat(known)
        .contains("rate", "slots", "pinned", "parked", "quota", "retry_allowance", "worker_seconds")
        .contains("rate_zero", "held_rejected", "held_unauthorised", "held_misconfigured", "gone");
  }
}
