package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.JobFeedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.JobRules;
import io.penstock.engine.ledger.JobsEnded;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.RenewRules;
import io.penstock.engine.ledger.Renewal;
import io.penstock.engine.ledger.Renewals;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.ledger.TubeCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ledger as one simulated node sees it: tells the auditor when gates were read, and bends the
 * engine's decisions on their way when a fault is planted.
 */
final class FaultyLedger implements Ledger {
  /** The loop that reads gates for what is unsent; who shelves reads them for itself. */
  private static final String GATE_WATCHER = "/gates";

  private final Ledger ledger;
  private final Planted planted;
  private final String node;
  private final Supplier<Duration> wallOff;
  private final Baton baton;
  private final Auditor auditor;

  /**
   * A node's ledger.
   *
   * @param wallOff how wrong the node's wall clock is
   */
  FaultyLedger(
      Ledger ledger,
      Planted planted,
      String node,
      Supplier<Duration> wallOff,
      Baton baton,
      Auditor auditor) {
    this.ledger = ledger;
    this.planted = planted;
    this.node = node;
    this.wallOff = wallOff;
    this.baton = baton;
    this.auditor = auditor;
  }

  @Override
  public Settled settle(int shard, List<Settlement> batch, SettleRules rules) {
    return ledger.settle(shard, batch, new BentRules(rules));
  }

  @Override
  public Claim claim(ClaimRequest request, ClaimRules rules) {
    boolean blind = planted == Planted.ONLY_OWN_GATE || planted == Planted.DELETED_IS_SERVED;
    return ledger.claim(request, blind ? new BlindRules(rules) : rules);
  }

  /** With a fault, some closed gates look open. */
  private final class BlindRules implements ClaimRules {
    private final ClaimRules rules;

    BlindRules(ClaimRules rules) {
      this.rules = rules;
    }

    @Override
    public List<Grant> decide(Instant now, List<Asking> asking) {
      return rules.decide(now, asking.stream().map(this::bent).toList());
    }

    private Asking bent(Asking one) {
      Gate gate = one.gate();
      boolean overlooked =
          switch (gate.closed()) {
            case null -> false;
            case DELETED -> planted == Planted.DELETED_IS_SERVED;
            case DISABLED, PAUSED, HELD ->
                planted == Planted.ONLY_OWN_GATE && !auditor.closedByItself(one.destinationId());
          };
      Gate seen = overlooked ? new Gate(gate.gateNo(), null, gate.reopenedAt()) : gate;
      return new Asking(
          one.destinationId(), one.mode(), one.configNo(), seen, one.budgetId(), one.state());
    }

    @Override
    public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
      return rules.debit(now, leased);
    }

    @Override
    public List<HeldJob> held(Instant now, List<Leased> leased) {
      return rules.held(now, leased);
    }
  }

  @Override
  public Map<String, Long> gateNumbers(Collection<String> destinationIds) {
    long since = baton.now();
    Map<String, Long> numbers = ledger.gateNumbers(destinationIds);
    Baton.Task reader = baton.current();
    if (reader != null && reader.name.endsWith(GATE_WATCHER)) {
      auditor.gatesRead(node, since);
    }
    if (planted == Planted.NO_HAND_BACK_ON_PAUSE) {
      numbers.replaceAll((id, number) -> 0L);
    }
    return numbers;
  }

  private final class BentRules implements SettleRules {
    private final SettleRules rules;

    BentRules(SettleRules rules) {
      this.rules = rules;
    }

    @Override
    public List<Move> moves(
        Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
      List<Settlement> bentBatch = bent(batch, budgets);
      List<Move> moves = new ArrayList<>(rules.moves(now, bentBatch, budgets));
      for (int i = 0; i < moves.size(); i++) {
        moves.set(i, bent(batch.get(i), moves.get(i), now));
      }
      return moves;
    }

    private Move bent(Settlement settlement, Move move, Instant now) {
      if (planted == Planted.DUE_BY_NODE_CLOCK && move instanceof Move.Retry retry) {
        return new Move.Retry(retry.attempt(), retry.notBefore().plus(wallOff.get()));
      }
      boolean throttled =
          settlement.feedback() instanceof Feedback.Ended ended
              && ended.outcome() instanceof Outcome.Throttled;
      return planted == Planted.THROTTLE_COUNTS_AS_ATTEMPT && throttled
          ? new Move.Retry(settlement.lease().attempt() + 1, now)
          : move;
    }

    @Override
    public Map<String, BudgetState> feed(
        Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
      return rules.feed(now, bent(applied, budgets), budgets);
    }

    /** With the fault, every answer looks as if it were of the current generation. */
    private List<Settlement> bent(List<Settlement> batch, Map<String, LockedBudget> budgets) {
      if (planted != Planted.CUT_PER_ANSWER) {
        return batch;
      }
      return batch.stream().map(one -> bent(one, budgets)).toList();
    }

    private static Settlement bent(Settlement settlement, Map<String, LockedBudget> budgets) {
      LockedBudget budget = budgets.get(settlement.lease().key().destinationId());
      if (budget == null || !(settlement.feedback() instanceof Feedback.Ended ended)) {
        return settlement;
      }
      Stamp stamp = ended.stamp();
      Stamp current =
          new Stamp(budget.state().generation(), stamp.probe(), stamp.retry(), stamp.batch());
      return new Settlement(
          settlement.lease(),
          new Feedback.Ended(current, ended.outcome(), ended.took()),
          settlement.attempt(),
          settlement.endsAs());
    }
  }

  // ---- jobs

  @Override
  public Renewals renew(int shard, List<Renewal> batch, RenewRules rules) {
    RenewRules free =
        (_, held, _) ->
            new RenewRules.Charged(Map.of(), held.stream().map(HeldJob::charged).toList());
    return ledger.renew(shard, batch, planted == Planted.RENEWAL_IS_FREE ? free : rules);
  }

  @Override
  public JobsEnded endJobs(int shard, List<JobRef> batch, JobRules rules) {
    List<JobRef> refs =
        planted == Planted.LATE_FINISH_IS_TAKEN
            ? batch.stream().map(this::current).toList()
            : batch;
    JobRules bent = planted == Planted.LOST_LEASE_IS_FREE ? new FreeWhenLost(rules) : rules;
    return ledger.endJobs(shard, refs, bent);
  }

  /** The lease in force of a job, whatever lease was named. */
  private JobRef current(JobRef named) {
    long leaseNo = auditor.tubes().heldUnder(named.key());
    return leaseNo == 0 ? named : new JobRef(named.key(), leaseNo);
  }

  /** With a fault, what a lost lease was charged comes back. */
  private record FreeWhenLost(JobRules rules) implements JobRules {
    @Override
    public Settlement settlement(Instant now, HeldJob held, int place) {
      Settlement whole = rules.settlement(now, held, place);
      return whole.feedback() instanceof Feedback.LeaseLost
          ? new Settlement(
              whole.lease(),
              whole.feedback(),
              whole.attempt(),
              whole.endsAs(),
              new JobFeedback.Lost(held.stamp(), Duration.ZERO, held.charged(), held.lent()))
          : whole;
    }

    @Override
    public List<TubeCount> counts(List<Settlement> applied) {
      return List.of();
    }

    @Override
    public List<Move> moves(
        Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
      return rules.moves(now, batch, budgets);
    }

    @Override
    public Map<String, BudgetState> feed(
        Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
      return rules.feed(now, applied, budgets);
    }
  }

  // ---- all else goes through

  @Override
  public List<HeldJob> expiredJobs(int shard, int most) {
    return ledger.expiredJobs(shard, most);
  }

  @Override
  public List<WalkEntry> heads(int shard, Collection<String> destinationIds) {
    return ledger.heads(shard, destinationIds);
  }

  @Override
  public Optional<Instant> takePermits(String destinationId, PermitRules rules) {
    return ledger.takePermits(destinationId, rules);
  }

  @Override
  public Optional<String> destinationOfPermit(int shard, String permitId) {
    return ledger.destinationOfPermit(shard, permitId);
  }

  @Override
  public PermitEnd endPermit(int shard, String permitId, PermitRules rules) {
    return ledger.endPermit(shard, permitId, rules);
  }

  @Override
  public int expirePermits(int shard, int mostDestinations, PermitRules rules) {
    return ledger.expirePermits(shard, mostDestinations, rules);
  }

  @Override
  public Instant now() {
    return ledger.now();
  }

  @Override
  public int shards() {
    return ledger.shards();
  }

  @Override
  public List<Acceptance> accept(List<NewEvent> events, Room room) {
    return ledger.accept(events, room);
  }

  @Override
  public List<Leased> expiredLeases(int shard, int most) {
    return ledger.expiredLeases(shard, most);
  }

  @Override
  public Optional<byte[]> body(int shard, UUID eventId) {
    return ledger.body(shard, eventId);
  }

  @Override
  public List<WalkEntry> walk(int shard, @Nullable String after, int most) {
    return ledger.walk(shard, after, most);
  }

  @Override
  public int expire(int shard, String destinationId, Instant agedBefore, int most) {
    return ledger.expire(shard, destinationId, agedBefore, most);
  }

  @Override
  public int shelve(int shard, String destinationId, Reason reason, int most) {
    return ledger.shelve(shard, destinationId, reason, most);
  }

  @Override
  public boolean cancel(DeliveryKey key, Audit by, BudgetRule freed) {
    return ledger.cancel(key, by, freed);
  }

  @Override
  public boolean redrive(DeliveryKey key, Audit by) {
    return ledger.redrive(key, by);
  }

  @Override
  public boolean sendAgain(DeliveryKey key, Audit by) {
    return ledger.sendAgain(key, by);
  }

  @Override
  public GateChange changeGate(GateScope scope, GateAction action, Audit by, BudgetRule reopened) {
    return ledger.changeGate(scope, action, by, reopened);
  }

  @Override
  public OptionalLong followBudget(
      String destinationId, GateAction action, Audit by, Predicate<BudgetState> still) {
    return ledger.followBudget(destinationId, action, by, still);
  }

  @Override
  public long gatesVersion() {
    return ledger.gatesVersion();
  }

  @Override
  public List<Destination> destinations(Collection<String> destinationIds) {
    return ledger.destinations(destinationIds);
  }

  @Override
  public boolean createTenant(String tenantId, String name, Audit by) {
    return ledger.createTenant(tenantId, name, by);
  }

  @Override
  public Optional<Destination> createDestination(
      Destination destination, BudgetRule initial, Audit by) {
    return ledger.createDestination(destination, initial, by);
  }

  @Override
  public void subscribe(String destinationId, Collection<String> types, Audit by) {
    ledger.subscribe(destinationId, types, by);
  }

  @Override
  public boolean deleteDestination(String destinationId, Audit by) {
    return ledger.deleteDestination(destinationId, by);
  }
}
