package io.penstock.engine.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The only truth: events, deliveries, attempts, budgets. Every method is one transaction, blocks,
 * and throws {@link LedgerException} when the ledger cannot answer. Safe for use by many threads.
 *
 * <p>Locks are taken in the order gate, budget, delivery, each by key. A claim skips budgets that
 * are locked; everything else waits for them, bounded by a time-out of seconds.
 */
public interface Ledger extends LedgerClock, PermitLedger {

  /** Shards fixed at installation, 1 or more; a destination's shard is below it. */
  int shards();

  // ---- events in

  /**
   * Accepts events, each with its fan-out; the answers are in the order of the events. A delivery
   * for which there is no room is born dead, {@code backlog_full}; an event is refused when there
   * is none for any of its deliveries, or for its tenant. A repeated key gets its first answer all
   * the same.
   */
  List<Acceptance> accept(List<NewEvent> events, Room room);

  /** The same, with room for all. */
  default List<Acceptance> accept(List<NewEvent> events) {
    return accept(events, Room.ENDLESS);
  }

  // ---- the hot path

  /**
   * Leases deliveries of the destinations that the request names. Locks their budgets, reads the
   * clock and the gates, lets {@code rules} decide, picks in order, lets {@code rules} debit what
   * was really leased, writes the budgets back.
   */
  Claim claim(ClaimRequest request, ClaimRules rules);

  /** Books outcomes of one shard. Each applies once per lease number; the rest are stale. */
  Settled settle(int shard, List<Settlement> batch, SettleRules rules);

  /**
   * Leases that ran out, oldest first, at most {@code most}; to be settled as lost. Jobs of tubes
   * are not among them.
   */
  List<Leased> expiredLeases(int shard, int most);

  /** The raw bytes of a large event; empty when the event is no longer kept. */
  Optional<byte[]> body(int shard, UUID eventId);

  // ---- jobs of tubes

  /**
   * Extends leases of jobs of one shard and charges the time that they were held. Locks their
   * budgets first, as whatever ends such a lease does, so that each second is charged once.
   */
  Renewals renew(int shard, List<Renewal> batch, RenewRules rules);

  /**
   * Ends leases of jobs of one shard: as {@link #settle}, but who holds them and what they were
   * charged is read under the lock of their budgets. Each applies once per lease number.
   */
  JobsEnded endJobs(int shard, List<JobRef> batch, JobRules rules);

  /** Jobs whose leases ran out, oldest first, at most {@code most}; to be ended as lost. */
  List<HeldJob> expiredJobs(int shard, int most);

  /** Of these destinations, those that have something waiting, with their heads; in id order. */
  List<WalkEntry> heads(int shard, Collection<String> destinationIds);

  // ---- the schedule

  /**
   * Destinations with waiting deliveries, in id order, from the one after {@code after} (null =
   * from the start), at most {@code most}.
   */
  List<WalkEntry> walk(int shard, @Nullable String after, int most);

  /**
   * The heads of a destination's lanes. {@code oldest} is the smallest age_from among its heads.
   */
  record WalkEntry(String destinationId, Instant earliestNotBefore, Instant oldestAgeFrom) {}

  // ---- moves of deliveries that wait

  /**
   * pending or retrying → dead {@code expired}: those whose age_from, and the destination's last
   * reopening, lie before {@code agedBefore}; at most {@code most}. Nothing while a gate is closed.
   */
  int expire(int shard, String destinationId, Instant agedBefore, int most);

  /** pending or retrying → dead with this reason, oldest first, at most {@code most}. */
  int shelve(int shard, String destinationId, Reason reason, int most);

  /**
   * pending, retrying or leased → cancelled; false when it is in none of these. When it was leased,
   * {@code freed} gives its budget's new state, since its settle will find no lease.
   */
  boolean cancel(DeliveryKey key, Audit by, BudgetRule freed);

  /**
   * dead → pending on the redrive lane, attempts from zero, age anew; false when it is not dead.
   */
  boolean redrive(DeliveryKey key, Audit by);

  /** delivered → pending on the redrive lane, explicit and audited; false when not delivered. */
  boolean sendAgain(DeliveryKey key, Audit by);

  // ---- gates

  /**
   * Changes a gate. When a flag was cleared by resume, release or enable, {@code reopened} gives
   * the new states of all budgets behind the scope.
   */
  GateChange changeGate(GateScope scope, GateAction action, Audit by, BudgetRule reopened);

  /**
   * Lets a destination's gate follow its budget, which closed itself: {@code action} (a hold or a
   * disable) applies only if {@code still} holds of the budget's state under the locks of both. So
   * a late follower cannot undo an operator who has opened the budget meanwhile.
   *
   * @return the number of the gate in force, which is closed now; empty = it was left alone
   */
  OptionalLong followBudget(
      String destinationId, GateAction action, Audit by, Predicate<BudgetState> still);

  /** The sum of all gate and configuration changes so far; cheap, polled twice a second. */
  long gatesVersion();

  /** Gate numbers of these destinations as of now; absent ones do not exist. */
  Map<String, Long> gateNumbers(Collection<String> destinationIds);

  // ---- configuration that the hot path needs

  /** The destinations with these ids; absent ones do not exist. */
  List<Destination> destinations(Collection<String> destinationIds);

  /** Creates a tenant; false when the id is taken. */
  boolean createTenant(String tenantId, String name, Audit by);

  /**
   * Creates a destination with its budget; its shard is computed here and whatever {@code
   * destination} says of it is ignored. Throws IllegalArgumentException when the tenant does not
   * exist; empty when the id is taken.
   */
  Optional<Destination> createDestination(Destination destination, BudgetRule initial, Audit by);

  /**
   * Deletes a destination: it is found no more, its subscriptions end, its gate is closed as {@code
   * DELETED} for good, so that a node shelves what waits. Its row stays for its history, and its id
   * stays taken. False when there is no such destination.
   */
  boolean deleteDestination(String destinationId, Audit by);

  /** Subscribes a destination to event types of its tenant; empty = all types. */
  void subscribe(String destinationId, Collection<String> types, Audit by);
}
