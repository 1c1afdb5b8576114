package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.event.EventContent;
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
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.RenewRules;
import io.penstock.engine.ledger.Renewal;
import io.penstock.engine.ledger.Renewals;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.recurring.Schedules;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ledger in memory: moves only, as faithful as Postgres about who waits for whom and who sees
 * what. Writes are staged and take effect at the commit, all at once; row locks are held until
 * then; a claim skips budgets that are locked and its pick may see an older snapshot. {@link
 * Interleave} is called between the steps of every transaction. Any thread may call.
 */
public final class MemoryLedger implements Ledger {
  /** Bodies up to here come with the claim; larger ones are read at send time. */
  public static final int INLINE_BODY_BYTES = 8 * 1024;

  /** How long a used idempotency key answers as it did. */
  public static final Duration IDEMPOTENCY_WINDOW = Duration.ofDays(3);

  final Store store = new Store();
  final RowLocks locks = new RowLocks();
  final Interleave interleave;
  private final int shards;
  private final InstantSource clock;
  private final Commit.Journal journal;
  private final Set<LedgerFault> faults;
  private final Map<Long, Transaction> running = new HashMap<>();
  private long lastTransaction;

  /**
   * An empty ledger.
   *
   * @param clock the ledger's clock
   * @param journal hears every commit
   * @param faults planted ones; none for a sound ledger
   */
  public MemoryLedger(
      int shards,
      InstantSource clock,
      Interleave interleave,
      Commit.Journal journal,
      Set<LedgerFault> faults) {
    this.shards = shards;
    this.clock = clock;
    this.interleave = interleave;
    this.journal = journal;
    this.faults = Set.copyOf(faults);
  }

  // ---- transactions

  <T> T in(Operation operation, Function<Transaction, T> work) {
    Transaction tx = begin(operation);
    try {
      tx.step(Step.BEGIN);
      T result = work.apply(tx);
      tx.commit();
      return result;
    } finally {
      end(tx);
    }
  }

  private Transaction begin(Operation operation) {
    synchronized (running) {
      Transaction tx = new Transaction(this, ++lastTransaction, operation);
      running.put(tx.id, tx);
      return tx;
    }
  }

  void commit(Transaction tx, Commit commit) {
    synchronized (store) {
      if (tx.isAborted()) {
        throw new LedgerException("the ledger ended this idle transaction before its commit");
      }
      store.apply(commit.changes());
      locks.releaseAll(tx);
      journal.committed(commit);
    }
  }

  private void end(Transaction tx) {
    synchronized (running) {
      running.remove(tx.id);
    }
    locks.releaseAll(tx);
    interleave.released();
  }

  /**
   * The server's own end of a transaction that was idle for too long: its locks are free at once,
   * and its owner gets a {@link LedgerException} at its next step. One that has ended is left
   * alone.
   */
  public void abort(long transaction) {
    Transaction tx;
    synchronized (running) {
      tx = running.get(transaction);
    }
    if (tx == null) {
      return;
    }
    synchronized (store) {
      tx.abort();
      locks.releaseAll(tx);
    }
    interleave.released();
  }

  /** For tests: the committed rows. */
  public MemoryInspection inspect() {
    return new MemoryInspection(store);
  }

  /** The redrives of this ledger. */
  public Redrives redrives() {
    return new MemoryRedrives(this);
  }

  /** The schedules of this ledger. */
  public Schedules schedules() {
    return new MemorySchedules(this);
  }

  // ---- what the works share

  boolean has(LedgerFault fault) {
    return faults.contains(fault);
  }

  /** Microseconds, as a column keeps them. */
  Instant readClock() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  List<Destination> find(Collection<String> ids) {
    synchronized (store) {
      List<Destination> found = new ArrayList<>();
      for (String id : new LinkedHashSet<>(ids)) {
        Destination destination = store.destinations.get(id);
        if (destination != null) {
          found.add(destination);
        }
      }
      return found;
    }
  }

  BudgetState budgetUnderLock(String budgetId) {
    synchronized (store) {
      BudgetState state = store.budgets.get(budgetId);
      if (state == null) {
        throw new IllegalStateException("no budget " + budgetId);
      }
      return state;
    }
  }

  Leased leased(DeliveryRow row) {
    synchronized (store) {
      Change.Event kept =
          store.events.get(new Store.EventKey(row.key().shard(), row.key().eventId()));
      if (kept == null || row.leaseUntil() == null) {
        throw new IllegalStateException("leased without its event or its end: " + row);
      }
      NewEvent event = kept.event();
      String key = event.idempotencyKey();
      EventContent content =
          new EventContent(
              event.type(),
              event.contentType(),
              event.headers(),
              key == null ? event.eventId().toString() : key,
              kept.acceptedAt(),
              event.body().length <= INLINE_BODY_BYTES ? event.body() : null,
              event.item());
      return new Leased(
          row.key(),
          row.tenantId(),
          row.position(),
          row.lane(),
          row.urgency(),
          row.attempt(),
          row.notBefore(),
          row.ageFrom(),
          row.leaseNo(),
          row.leaseUntil(),
          row.redriveCount(),
          row.size(),
          content);
    }
  }

  // ---- the port

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public Instant now() {
    return in(Operation.CLOCK, Transaction::now);
  }

  @Override
  public List<Acceptance> accept(List<NewEvent> events, Room room) {
    return in(Operation.ACCEPT, tx -> new AcceptWork(this, tx, room).run(events));
  }

  @Override
  public Claim claim(ClaimRequest request, ClaimRules rules) {
    return in(Operation.CLAIM, tx -> new ClaimWork(this, tx, request, rules).run());
  }

  @Override
  public Settled settle(int shard, List<Settlement> batch, SettleRules rules) {
    return in(Operation.SETTLE, tx -> new SettleWork(this, tx, batch, rules).run());
  }

  @Override
  public List<Leased> expiredLeases(int shard, int most) {
    return in(Operation.EXPIRED_LEASES, tx -> new WaitingWork(this, tx).expiredLeases(shard, most));
  }

  @Override
  public Renewals renew(int shard, List<Renewal> batch, RenewRules rules) {
    return in(Operation.RENEW, tx -> new JobWork(this, tx).renew(batch, rules));
  }

  @Override
  public JobsEnded endJobs(int shard, List<JobRef> batch, JobRules rules) {
    return in(Operation.END_JOBS, tx -> new JobWork(this, tx).end(batch, rules));
  }

  @Override
  public List<HeldJob> expiredJobs(int shard, int most) {
    return in(Operation.EXPIRED_LEASES, tx -> new WaitingWork(this, tx).expiredJobs(shard, most));
  }

  @Override
  public List<WalkEntry> heads(int shard, Collection<String> destinationIds) {
    return in(Operation.WALK, tx -> new WaitingWork(this, tx).heads(shard, destinationIds));
  }

  @Override
  public Optional<byte[]> body(int shard, UUID eventId) {
    return in(
        Operation.BODY,
        tx -> {
          synchronized (store) {
            return Optional.ofNullable(store.events.get(new Store.EventKey(shard, eventId)))
                .map(kept -> kept.event().body());
          }
        });
  }

  @Override
  public List<WalkEntry> walk(int shard, @Nullable String after, int most) {
    return in(Operation.WALK, tx -> new WaitingWork(this, tx).walk(shard, after, most));
  }

  @Override
  public int expire(int shard, String destinationId, Instant agedBefore, int most) {
    return in(
        Operation.EXPIRE, tx -> new WaitingWork(this, tx).expire(destinationId, agedBefore, most));
  }

  @Override
  public int shelve(int shard, String destinationId, Reason reason, int most) {
    return in(
        Operation.SHELVE, tx -> new WaitingWork(this, tx).shelve(destinationId, reason, most));
  }

  @Override
  public boolean cancel(DeliveryKey key, Audit by, BudgetRule freed) {
    return in(Operation.CANCEL, tx -> new WaitingWork(this, tx).cancel(key, by, freed));
  }

  @Override
  public boolean redrive(DeliveryKey key, Audit by) {
    return in(Operation.REDRIVE, tx -> new WaitingWork(this, tx).redrive(key, by));
  }

  @Override
  public boolean sendAgain(DeliveryKey key, Audit by) {
    return in(Operation.SEND_AGAIN, tx -> new WaitingWork(this, tx).sendAgain(key, by));
  }

  @Override
  public GateChange changeGate(GateScope scope, GateAction action, Audit by, BudgetRule reopened) {
    return in(
        Operation.CHANGE_GATE, tx -> new GateWork(this, tx).change(scope, action, by, reopened));
  }

  @Override
  public OptionalLong followBudget(
      String destinationId, GateAction action, Audit by, Predicate<BudgetState> still) {
    return in(
        Operation.CHANGE_GATE,
        tx -> new GateWork(this, tx).follow(destinationId, action, by, still));
  }

  @Override
  public long gatesVersion() {
    return in(
        Operation.READ_GATES,
        tx -> {
          synchronized (store) {
            return store.changes;
          }
        });
  }

  @Override
  public Map<String, Long> gateNumbers(Collection<String> destinationIds) {
    return in(
        Operation.READ_GATES,
        tx -> {
          synchronized (store) {
            Map<String, Long> numbers = new LinkedHashMap<>();
            find(destinationIds).forEach(d -> numbers.put(d.id(), store.gateOf(d).gateNo()));
            return numbers;
          }
        });
  }

  @Override
  public List<Destination> destinations(Collection<String> destinationIds) {
    return in(
        Operation.CONFIGURE,
        _ -> {
          synchronized (store) {
            return find(destinationIds).stream()
                .filter(one -> !store.deleted.contains(one.id()))
                .toList();
          }
        });
  }

  @Override
  public boolean createTenant(String tenantId, String name, Audit by) {
    return in(Operation.CONFIGURE, tx -> new Configuration(this, tx).createTenant(tenantId, by));
  }

  @Override
  public Optional<Destination> createDestination(
      Destination destination, BudgetRule initial, Audit by) {
    return in(
        Operation.CONFIGURE,
        tx -> new Configuration(this, tx).createDestination(destination, initial, by));
  }

  @Override
  public boolean deleteDestination(String destinationId, Audit by) {
    return in(
        Operation.CONFIGURE,
        tx -> new Configuration(this, tx).deleteDestination(destinationId, by));
  }

  @Override
  public void subscribe(String destinationId, Collection<String> types, Audit by) {
    in(
        Operation.CONFIGURE,
        tx -> {
          new Configuration(this, tx).subscribe(destinationId, types, by);
          return true;
        });
  }

  @Override
  public Optional<Instant> takePermits(String destinationId, PermitRules rules) {
    return in(Operation.PERMITS, tx -> new PermitWork(this, tx, rules).take(destinationId));
  }

  @Override
  public Optional<String> destinationOfPermit(int shard, String permitId) {
    return in(Operation.PERMITS, _ -> PermitWork.find(store, shard, permitId))
        .map(Change.PermitTaken::destinationId);
  }

  @Override
  public PermitEnd endPermit(int shard, String permitId, PermitRules rules) {
    return in(Operation.PERMITS, tx -> new PermitWork(this, tx, rules).end(shard, permitId));
  }

  @Override
  public int expirePermits(int shard, int mostDestinations, PermitRules rules) {
    int ended = 0;
    for (String id : PermitWork.withExpired(store, shard, mostDestinations, readClock())) {
      ended += in(Operation.PERMITS, tx -> new PermitWork(this, tx, rules).expire(id));
    }
    return ended;
  }
}
