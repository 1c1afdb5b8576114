package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
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
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.partition.Partitions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The ledger on Postgres 15 or later: a table of contents of what this package does. */
public final class PostgresLedger implements Ledger {
  /** How long an idempotency key is remembered; part of the API's promise. */
  public static final Duration KEY_WINDOW = Duration.ofDays(3);

  private final Pool pool;
  private final int shards;
  private final Accepts accepts;
  private final Claims claims;
  private final Settles settles;
  private final Jobs jobs;
  private final Walks walks;
  private final Moves moves;
  private final Gates gates;
  private final Configuration configuration;
  private final Permits permits;

  private PostgresLedger(Pool pool, int shards, Duration keyWindow, HotPathSql sql) {
    Partitions partitions = new Partitions(pool);
    this.pool = pool;
    this.shards = shards;
    this.accepts = new Accepts(pool, partitions, new Keys(keyWindow), shards);
    this.claims = new Claims(pool, sql);
    this.settles = new Settles(pool, partitions, sql);
    this.jobs = new Jobs(pool, partitions, settles);
    this.walks = new Walks(pool);
    this.moves = new Moves(pool, partitions);
    this.gates = new Gates(pool, shards);
    this.configuration = new Configuration(pool, shards);
    this.permits = new Permits(pool, shards);
  }

  /** The ledger of a migrated database, which tells how many shards it has. */
  public static PostgresLedger open(Pool pool) {
    return open(pool, KEY_WINDOW);
  }

  /** The same with another window of idempotency. */
  public static PostgresLedger open(Pool pool, Duration keyWindow) {
    return open(pool, keyWindow, HotPathSql.SHIPPED);
  }

  /** For tests alone: a ledger into whose statements a fault was planted. */
  static PostgresLedger open(Pool pool, Duration keyWindow, HotPathSql sql) {
    return new PostgresLedger(pool, pool.shards(), keyWindow, sql);
  }

  @Override
  public Instant now() {
    return pool.read(Use.LOOP, pool::now);
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public List<Acceptance> accept(List<NewEvent> events, Room room) {
    return accepts.accept(events, room);
  }

  @Override
  public Claim claim(ClaimRequest request, ClaimRules rules) {
    return claims.claim(request, rules);
  }

  @Override
  public Settled settle(int shard, List<Settlement> batch, SettleRules rules) {
    return settles.settle(shard, batch, rules);
  }

  @Override
  public List<Leased> expiredLeases(int shard, int most) {
    return walks.expiredLeases(shard, most);
  }

  @Override
  public Renewals renew(int shard, List<Renewal> batch, RenewRules rules) {
    return jobs.renew(shard, batch, rules);
  }

  @Override
  public JobsEnded endJobs(int shard, List<JobRef> batch, JobRules rules) {
    return jobs.end(shard, batch, rules);
  }

  @Override
  public List<HeldJob> expiredJobs(int shard, int most) {
    return jobs.expired(shard, most);
  }

  @Override
  public List<WalkEntry> heads(int shard, Collection<String> destinationIds) {
    return walks.heads(shard, destinationIds);
  }

  @Override
  public Optional<byte[]> body(int shard, UUID eventId) {
    return walks.body(shard, eventId);
  }

  @Override
  public List<WalkEntry> walk(int shard, @Nullable String after, int most) {
    return walks.walk(shard, after, most);
  }

  @Override
  public int expire(int shard, String destinationId, Instant agedBefore, int most) {
    return moves.expire(shard, destinationId, agedBefore, most);
  }

  @Override
  public int shelve(int shard, String destinationId, Reason reason, int most) {
    return moves.shelve(shard, destinationId, reason, most);
  }

  @Override
  public boolean cancel(DeliveryKey key, Audit by, BudgetRule freed) {
    return moves.cancel(key, by, freed);
  }

  @Override
  public boolean redrive(DeliveryKey key, Audit by) {
    return moves.redrive(key, by);
  }

  @Override
  public boolean sendAgain(DeliveryKey key, Audit by) {
    return moves.sendAgain(key, by);
  }

  @Override
  public GateChange changeGate(GateScope scope, GateAction action, Audit by, BudgetRule reopened) {
    return gates.change(scope, action, by, reopened);
  }

  @Override
  public OptionalLong followBudget(
      String destinationId, GateAction action, Audit by, Predicate<BudgetState> still) {
    return gates.follow(destinationId, action, by, still);
  }

  @Override
  public long gatesVersion() {
    return gates.version();
  }

  @Override
  public Map<String, Long> gateNumbers(Collection<String> destinationIds) {
    return gates.numbers(destinationIds);
  }

  @Override
  public List<Destination> destinations(Collection<String> destinationIds) {
    return configuration.destinations(destinationIds);
  }

  @Override
  public boolean createTenant(String tenantId, String name, Audit by) {
    return configuration.createTenant(tenantId, name, by);
  }

  @Override
  public Optional<Destination> createDestination(
      Destination destination, BudgetRule initial, Audit by) {
    return configuration.createDestination(destination, initial, by);
  }

  @Override
  public boolean deleteDestination(String destinationId, Audit by) {
    return configuration.deleteDestination(destinationId, by);
  }

  @Override
  public void subscribe(String destinationId, Collection<String> types, Audit by) {
    configuration.subscribe(destinationId, types, by);
  }

  @Override
  public Optional<Instant> takePermits(String destinationId, PermitRules rules) {
    return permits.take(destinationId, rules);
  }

  @Override
  public Optional<String> destinationOfPermit(int shard, String permitId) {
    return permits.destination(shard, permitId);
  }

  @Override
  public PermitEnd endPermit(int shard, String permitId, PermitRules rules) {
    return permits.end(shard, permitId, rules);
  }

  @Override
  public int expirePermits(int shard, int mostDestinations, PermitRules rules) {
    return permits.expire(shard, mostDestinations, rules);
  }
}
