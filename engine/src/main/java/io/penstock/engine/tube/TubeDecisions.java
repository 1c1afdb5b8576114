package io.penstock.engine.tube;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.WaitReason;
import io.penstock.budget.work.Turn;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.limits.Limits;
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
 * The decisions of one claim of jobs: which tube may lease how many, to which worker each goes, and
 * what each lease is charged. Tubes that may go take turns, one job at a time, metered ones before
 * unmetered ones and the longest waiting first; a worker that has nothing yet comes before one that
 * has, and among those the one that serves fewest tubes. Used by one thread, for one claim.
 */
final class TubeDecisions implements ClaimRules {
  /** No tube is more important than another: only how long it has waited counts. */
  private static final int FLAT = 0;

  private final Limits limits;
  private final Workers workers;
  private final Map<String, Instant> waitingSince;
  private final Duration lease;
  private final Map<String, Asked> asked = new LinkedHashMap<>();
  private final Map<String, BudgetState> states = new HashMap<>();

  /** What one tube was told. */
  static final class Asked {
    final Asking asking;
    final BudgetSettings budget;
    final @Nullable Decision decision;

    /** Whose the jobs are, in the order of the tube. */
    final List<Poll> places = new ArrayList<>();

    boolean lent;
    Duration charge = Duration.ZERO;
    Duration expected = Duration.ZERO;
    int leased;
    private int retries;
    private int batch;

    private Asked(Asking asking, BudgetSettings budget, @Nullable Decision decision) {
      this.asking = asking;
      this.budget = budget;
      this.decision = decision;
    }

    private boolean hasRoom() {
      return decision instanceof Decision.Admit admit && places.size() < admit.most();
    }
  }

  /**
   * Nothing decided yet.
   *
   * @param waitingSince since when the first in line of each tube waits
   * @param lease how long each lease lasts
   */
  TubeDecisions(Limits limits, Workers workers, Map<String, Instant> waitingSince, Duration lease) {
    this.limits = limits;
    this.workers = workers;
    this.waitingSince = waitingSince;
    this.lease = lease;
  }

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    Map<String, BudgetState> tentative = new HashMap<>();
    for (Asking one : inTurn(asking)) {
      BudgetSettings budget = limits.of(one.destinationId()).tubeBudget();
      Decision decision = null;
      if (one.gate().closed() == null && one.mode() == Destination.Mode.PULL) {
        states.putIfAbsent(one.budgetId(), one.state());
        BudgetState state = tentative.getOrDefault(one.budgetId(), one.state());
        decision = Budget.ask(state, budget, now).decision();
        if (decision instanceof Decision.Admit admit) {
          var most = new Budget.Debit(admit.most(), 0, 0, admit.probe());
          tentative.put(one.budgetId(), Budget.debit(state, budget, most, now));
        }
      }
      asked.put(one.destinationId(), new Asked(one, budget, decision));
    }
    giveTurns();
    lend(now);
    return grants(now);
  }

  private List<Asking> inTurn(List<Asking> asking) {
    List<Asking> sorted = new ArrayList<>(asking);
    sorted.sort(Comparator.comparing(this::turn));
    return sorted;
  }

  private Turn turn(Asking one) {
    String id = one.destinationId();
    return turn(limits, id, waitingSince.getOrDefault(id, Instant.MAX));
  }

  /** A tube's turn among the others. */
  static Turn turn(Limits limits, String tubeId, Instant waitingSince) {
    return new Turn(limits.of(tubeId).tube().work() != null, waitingSince, FLAT);
  }

  /** One job per tube and round, metered tubes until nothing of theirs is left. */
  private void giveTurns() {
    List<Asked> metered = asked.values().stream().filter(a -> a.budget.work() != null).toList();
    List<Asked> unmetered = asked.values().stream().filter(a -> a.budget.work() == null).toList();
    giveTurns(metered);
    giveTurns(unmetered);
  }

  private void giveTurns(List<Asked> tubes) {
    boolean some = true;
    while (some) {
      some = false;
      for (Asked one : tubes) {
        Poll place = one.hasRoom() ? workers.place(one.asking.destinationId()) : null;
        if (place != null) {
          one.places.add(place);
          some = true;
        }
      }
    }
  }

  /** Short jobs that only worker-seconds stop may run on what an idle pool does not use. */
  private void lend(Instant now) {
    for (Asked one : asked.values()) {
      if (limits.of(one.asking.destinationId()).tube().lending()
          && one.decision instanceof Decision.Wait wait
          && wait.reason() instanceof WaitReason.WorkerSeconds) {
        Workers.Spare spare = workers.spare(one.asking.destinationId());
        if (spare != null
            && Budget.askToBorrow(
                    one.asking.state(), one.budget, spare.freeWorkers(), spare.idle(), now)
                instanceof Decision.Admit) {
          one.lent = true;
          one.places.add(spare.take());
        }
      }
    }
  }

  private List<Grant> grants(Instant now) {
    List<Grant> grants = new ArrayList<>();
    for (Asked one : asked.values()) {
      int most = one.places.size();
      if (one.budget.work() != null) {
        one.expected = Budget.chargePerJob(stateOf(one), one.budget, now);
        one.charge = one.lent ? Duration.ZERO : one.expected;
      }
      if (most > 0) {
        Decision.Admit admit = admitted(one);
        grants.add(
            new Grant(
                one.asking.destinationId(),
                most,
                Math.min(most, admit.mostRetries()),
                Math.min(most, admit.mostBatch()),
                lease));
      }
    }
    return grants;
  }

  private static Decision.Admit admitted(Asked one) {
    return one.decision instanceof Decision.Admit admit
        ? admit
        : new Decision.Admit(1, 1, 1, false, 0, Duration.ZERO);
  }

  private BudgetState stateOf(Asked one) {
    return states.getOrDefault(one.asking.budgetId(), one.asking.state());
  }

  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    for (Leased job : leased) {
      Asked one = asked(job);
      one.leased++;
      one.retries += job.lane() == Lane.RETRY ? 1 : 0;
      one.batch += job.urgency() == Urgency.BATCH ? 1 : 0;
    }
    Map<String, BudgetState> changed = new HashMap<>();
    for (Asked one : asked.values()) {
      if (one.leased > 0) {
        var debit =
            new Budget.Debit(one.leased, one.retries, one.batch, admitted(one).probe(), one.lent);
        BudgetState debited = Budget.debit(stateOf(one), one.budget, debit, now);
        states.put(one.asking.budgetId(), debited);
        changed.put(one.asking.budgetId(), debited);
      }
    }
    return changed;
  }

  @Override
  public List<HeldJob> held(Instant now, List<Leased> leased) {
    Map<String, Integer> nth = new HashMap<>();
    List<HeldJob> held = new ArrayList<>(leased.size());
    for (Leased job : leased) {
      Asked one = asked(job);
      Poll place = place(one, nth.merge(job.key().destinationId(), 1, Integer::sum) - 1);
      Decision.Admit admit = admitted(one);
      held.add(
          new HeldJob(
              job,
              place.request.worker(),
              place.request.poolId(),
              now,
              one.charge,
              one.lent,
              one.lent ? one.asking.state().generation() : admit.generation(),
              admit.probe()));
    }
    return held;
  }

  /** What each worker gets of what was leased. */
  Map<Poll, List<LeasedJob>> shares(List<Leased> leased) {
    Map<String, Integer> nth = new HashMap<>();
    Map<Poll, List<LeasedJob>> shares = new LinkedHashMap<>();
    for (Leased job : leased) {
      Asked one = asked(job);
      Poll place = place(one, nth.merge(job.key().destinationId(), 1, Integer::sum) - 1);
      shares.computeIfAbsent(place, _ -> new ArrayList<>()).add(new LeasedJob(job, one.expected));
    }
    return shares;
  }

  private static Poll place(Asked one, int nth) {
    return one.places.get(nth);
  }

  /** What each tube was told, in its turn. */
  Map<String, Asked> asked() {
    return asked;
  }

  private Asked asked(Leased job) {
    Asked found = asked.get(job.key().destinationId());
    if (found == null) {
      throw new IllegalStateException("leased without asking: tube " + job.key().destinationId());
    }
    return found;
  }

  /** What the budget would say right after this claim. */
  Decision next(Asked one, Instant now) {
    return Budget.ask(stateOf(one), one.budget, now).decision();
  }
}
