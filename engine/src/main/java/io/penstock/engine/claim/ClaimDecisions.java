package io.penstock.engine.claim;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.send.NodeSlots.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one claim: which destination may lease how many, what that costs, and when it is
 * worth asking again. All rules are the budget's; here they meet gates and lanes. Used by one
 * thread, for one claim.
 */
final class ClaimDecisions implements ClaimRules {
  /**
   * So much of a pace is used: it is as long as a send may take to start after its debit, and the
   * claim has to come back and timers are late.
   */
  private static final int PACED_PERCENT = 80;

  private final Limits limits;
  private final Map<String, Integer> turn;
  private final Share share;
  private final Map<String, Asked> asked = new LinkedHashMap<>();
  private final Map<String, BudgetState> states = new HashMap<>();

  /** What one destination was told. */
  static final class Asked {
    final Asking asking;
    final DestinationLimits limits;
    final @Nullable Decision decision;

    /** Decided on what others of its budget were granted before it in this claim. */
    final boolean afterOthers;

    int granted;
    int leased;
    int retries;
    int batch;

    private Asked(
        Asking asking, DestinationLimits limits, @Nullable Decision decision, boolean afterOthers) {
      this.asking = asking;
      this.afterOthers = afterOthers;
      this.limits = limits;
      this.decision = decision;
    }

    Gate gate() {
      return asking.gate();
    }

    /** Whether outside workers lease from it; its budget is not asked here. */
    boolean isTube() {
      return asking.mode() == Destination.Mode.PULL;
    }

    /** The decision of the budget; null when a gate was closed and it was not asked. */
    @Nullable Decision decision() {
      return decision;
    }

    /** What a delivery leased under this decision carries. */
    Stamp stamp(Leased delivery) {
      if (!(decision instanceof Decision.Admit admit)) {
        throw new IllegalStateException(
            "a lease without an admission: destination " + asking.destinationId());
      }
      return new Stamp(
          admit.generation(),
          admit.probe(),
          delivery.lane() == Lane.RETRY,
          delivery.urgency() == Urgency.BATCH);
    }

    /**
     * How long after the debit the delivery at this place, from 0, of all leased is to go: spread
     * over the budget's pace, or over the time in which so many tokens accrue when that is shorter.
     * What is claimed and unsent holds a slot, and slots follow from the round trip alone.
     */
    Duration paced(int place) {
      if (!(decision instanceof Decision.Admit admit)) {
        return Duration.ZERO;
      }
      double rate = asking.state().ratePerSecond(limits.budget());
      double accrual = rate > 0 ? leased / rate : Double.MAX_VALUE;
      double over = Math.min(admit.paceOver().toNanos() / 1e9, accrual);
      return Duration.ofNanos((long) (over * 1e9 * PACED_PERCENT / 100 * place / leased));
    }

    private void count(Leased delivery) {
      leased++;
      retries += delivery.lane() == Lane.RETRY ? 1 : 0;
      batch += delivery.urgency() == Urgency.BATCH ? 1 : 0;
    }
  }

  /**
   * Nothing decided yet.
   *
   * @param due the destinations whose turn it is, longest unserved first
   * @param share how many deliveries the claim may lease in all, and how many of them anyone
   */
  ClaimDecisions(Limits limits, List<String> due, Share share) {
    this.limits = limits;
    this.share = share;
    this.turn = new HashMap<>();
    for (String destinationId : due) {
      turn.put(destinationId, turn.size());
    }
  }

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    List<Wish> wishes = new ArrayList<>();
    // Destinations that share a budget: each is decided on what the ones before it may take.
    Map<String, BudgetState> tentative = new HashMap<>();
    List<Asking> inTurn = new ArrayList<>(asking);
    inTurn.sort(Comparator.comparing(one -> turn.getOrDefault(one.destinationId(), 0)));
    for (Asking one : inTurn) {
      DestinationLimits its = limits.of(one.destinationId());
      Decision decision = null;
      boolean afterOthers = false;
      if (one.gate().closed() == null && one.mode() == Destination.Mode.PUSH) {
        states.putIfAbsent(one.budgetId(), one.state());
        BudgetState state = tentative.getOrDefault(one.budgetId(), one.state());
        afterOthers = tentative.containsKey(one.budgetId());
        decision = Budget.ask(state, its.budget(), now).decision();
        if (decision instanceof Decision.Admit admit) {
          wishes.add(new Wish(one.destinationId(), admit, its.lease(), state.inFlight() > 0));
          tentative.put(
              one.budgetId(),
              Budget.debit(
                  state, its.budget(), new Budget.Debit(admit.most(), 0, 0, admit.probe()), now));
        }
      }
      asked.put(one.destinationId(), new Asked(one, its, decision, afterOthers));
    }
    Scarcity.share(share, wishes);
    List<Grant> granted =
        wishes.stream().filter(wish -> wish.granted > 0).map(Wish::grant).toList();
    granted.forEach(grant -> asked(grant.destinationId()).granted = grant.most());
    return granted;
  }

  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    for (Leased delivery : leased) {
      asked(delivery.key().destinationId()).count(delivery);
    }
    Map<String, BudgetState> changed = new HashMap<>();
    for (Asked one : asked.values()) {
      if (one.leased > 0 && one.decision instanceof Decision.Admit admit) {
        String budgetId = one.asking.budgetId();
        BudgetState state = stateOf(budgetId);
        BudgetState debited =
            Budget.debit(
                state,
                one.limits.budget(),
                new Budget.Debit(one.leased, one.retries, one.batch, admit.probe()),
                now);
        states.put(budgetId, debited);
        changed.put(budgetId, debited);
      }
    }
    return changed;
  }

  /** What each destination was told, in the order of asking. */
  Map<String, Asked> asked() {
    return asked;
  }

  Asked asked(String destinationId) {
    Asked found = asked.get(destinationId);
    if (found == null) {
      throw new IllegalStateException("leased without asking: destination " + destinationId);
    }
    return found;
  }

  /** What its budget has in flight after this claim; 0 when it was not asked. */
  int inFlight(Asked one) {
    BudgetState state = states.get(one.asking.budgetId());
    return state == null ? 0 : state.inFlight();
  }

  /** What the budget would say right after this claim. */
  Decision next(Asked one, Instant now) {
    return Budget.ask(stateOf(one.asking.budgetId()), one.limits.budget(), now).decision();
  }

  private BudgetState stateOf(String budgetId) {
    BudgetState state = states.get(budgetId);
    if (state == null) {
      throw new IllegalStateException("budget " + budgetId + " was not asked");
    }
    return state;
  }
}
