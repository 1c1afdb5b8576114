package io.penstock.engine.settle;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetEffect;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.RefuseReason;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.history.Sighting;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.limits.Backoff;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.limits.Limits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The decisions of one settle: what each outcome does to its delivery, and what its budget learns.
 * Used by one thread, for one settle.
 */
public final class SettleDecisions implements SettleRules {
  private final Limits limits;
  private final RandomGenerator random;
  private final Map<String, BudgetState> fed = new LinkedHashMap<>();
  private final Map<String, Long> generations = new LinkedHashMap<>();
  private final Map<String, Sighting> sightings = new LinkedHashMap<>();
  private final Set<String> goneAlone = new LinkedHashSet<>();

  public SettleDecisions(Limits limits, RandomGenerator random) {
    this.limits = limits;
    this.random = random;
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    // A delivery's end may depend on what its budget has just learned (a hold keeps what is in
    // flight), so the budgets are fed here tentatively, and in feed() with what really applied.
    Map<String, BudgetState> tentative = new HashMap<>();
    List<Move> moves = new ArrayList<>(batch.size());
    for (Settlement settlement : batch) {
      LockedBudget budget = budgetOf(settlement, budgets);
      DestinationLimits its = limitsOf(settlement);
      BudgetState before = tentative.getOrDefault(budget.budgetId(), budget.state());
      BudgetState fed = learned(budget, before, its, settlement, now);
      tentative.put(budget.budgetId(), fed);
      moves.add(move(settlement, before, fed, its, now));
    }
    return moves;
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    sightings.clear(); // a transaction that is done again begins anew
    goneAlone.clear();
    Map<String, BudgetState> after = new LinkedHashMap<>();
    for (Settlement settlement : applied) {
      LockedBudget budget = budgetOf(settlement, budgets);
      BudgetSettings settings = limitsOf(settlement).budget();
      BudgetState before = after.getOrDefault(budget.budgetId(), budget.state());
      BudgetState learned = learned(budget, before, limitsOf(settlement), settlement, now);
      after.put(budget.budgetId(), learned);
      String id = settlement.lease().key().destinationId();
      if (isGoneAlone(budget, settlement)) {
        goneAlone.add(id);
      }
      fed.put(id, learned);
      generations.put(budget.budgetId(), learned.generation());
      sightings.merge(
          id,
          Sighting.of(id, before, learned, settings, settlement.feedback(), now),
          Sighting::then);
    }
    return after;
  }

  private static BudgetState learned(
      LockedBudget budget,
      BudgetState before,
      DestinationLimits its,
      Settlement settlement,
      Instant now) {
    return settlement.job() == null
        ? Budget.feed(before, its.budget(), told(budget, settlement), now)
        : Budget.feedJob(before, its.tubeBudget(), settlement.job(), now);
  }

  /** What the budget is told: not that a receiver is gone which is one of several behind it. */
  private static Feedback told(LockedBudget budget, Settlement settlement) {
    return isGoneAlone(budget, settlement)
            && settlement.feedback() instanceof Feedback.Ended(var stamp, var outcome, var took)
        ? new Feedback.Ended(stamp, new Outcome.Unsendable(0, outcome.detail()), took)
        : settlement.feedback();
  }

  /** A budget that is not the destination's own is one that others share: it stays open. */
  private static boolean isGoneAlone(LockedBudget budget, Settlement settlement) {
    return settlement.feedback() instanceof Feedback.Ended ended
        && ended.outcome() instanceof Outcome.Gone
        && !budget.budgetId().equals(settlement.lease().key().destinationId());
  }

  private Move move(
      Settlement settlement,
      BudgetState before,
      BudgetState fed,
      DestinationLimits its,
      Instant now) {
    int spent = settlement.lease().attempt();
    if (settlement.endsAs() != null) {
      return new Move.Die(spent, settlement.endsAs());
    }
    return switch (settlement.feedback()) {
      case Feedback.HandedBack _ -> new Move.KeepPlace();
      case Feedback.LeaseLost _ ->
          move(spent, new Outcome.Unknown(0, Outcome.Unknown.LEASE_LOST), its, now);
      case Feedback.Ended ended -> {
        if (failedProbe(ended, before, its) || held(ended.outcome(), fed)) {
          yield new Move.KeepPlace();
        }
        yield move(spent, ended.outcome(), its, now);
      }
    };
  }

  private Move move(int spent, Outcome outcome, DestinationLimits its, Instant now) {
    return switch (DeliveryEffect.of(outcome)) {
      case DELIVERED -> new Move.Deliver(spent + 1);
      case KEEPS_PLACE -> new Move.KeepPlace();
      case RETRIES ->
          retry(spent + 1, its.attemptsWhenTransient(), its.retry().afterTransient(), now);
      case MAY_HAVE_ARRIVED ->
          its.onUnknown() == OnUnknown.SHELF
              ? new Move.Die(spent + 1, Reason.OUTCOME_UNKNOWN)
              : retry(spent + 1, its.attemptsWhenUnknown(), its.retry().afterUnknown(), now);
      case REFUSED ->
          spent + 1 >= its.retry().lastRefusal()
              ? new Move.Die(spent + 1, Reason.UNAUTHORISED)
              : new Move.Retry(
                  spent + 1, now.plus(its.retry().refusedAgain().multipliedBy(spent + 1)));
      case REJECTED, DIES -> new Move.Die(spent + 1, DeliveryEffect.reasonOf(outcome));
      case DIES_UNSENT -> new Move.Die(spent, DeliveryEffect.reasonOf(outcome));
    };
  }

  private Move retry(int spent, int most, Backoff backoff, Instant now) {
    if (spent >= most) {
      return new Move.Die(spent, Reason.EXHAUSTED);
    }
    return new Move.Retry(spent, now.plus(backoff.after(spent, random)));
  }

  /** A parked budget's probe that failed spends nothing; only {@code on_unknown: shelf} wins. */
  private static boolean failedProbe(
      Feedback.Ended ended, BudgetState before, DestinationLimits its) {
    return ended.stamp().probe()
        && before.parked()
        && BudgetEffect.failsProbe(ended.outcome())
        && !(ended.outcome() instanceof Outcome.Unknown && its.onUnknown() == OnUnknown.SHELF);
  }

  /** A rejection that came to a held budget: a bad deploy must not kill a backlog. */
  private static boolean held(Outcome outcome, BudgetState fed) {
    return outcome instanceof Outcome.Rejected && fed.closed() == RefuseReason.HELD_REJECTED;
  }

  private static LockedBudget budgetOf(Settlement settlement, Map<String, LockedBudget> budgets) {
    String id = settlement.lease().key().destinationId();
    LockedBudget budget = budgets.get(id);
    if (budget == null) {
      throw new IllegalStateException("the ledger locked no budget for destination " + id);
    }
    return budget;
  }

  private DestinationLimits limitsOf(Settlement settlement) {
    return limits.of(settlement.lease().key().destinationId());
  }

  /** What the budgets that were fed look like now, one per destination. */
  public List<Sighting> sightings() {
    return List.copyOf(sightings.values());
  }

  /** Destinations whose receiver is gone, and whose budget others share. */
  Set<String> goneAlone() {
    return goneAlone;
  }

  /** The generations of the budgets that were fed, by budget. */
  Map<String, Long> generations() {
    return generations;
  }

  /** The budgets that were fed, as they are now, by destination. */
  Map<String, BudgetState> fed() {
    return fed;
  }
}
