package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Outcome;
import io.penstock.budget.RefuseReason;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.testkit.memory.Change;
import io.penstock.testkit.memory.Commit;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches every commit, every request and every answer, and compares them with a model of its own,
 * which it keeps from the journal alone. The first promise that breaks ends the run with a {@link
 * BrokenPromise}.
 */
final class Auditor implements Commit.Journal {
  /** A send starts within this of its debit: 100 ms and the slack of a timer, or is handed back. */
  private static final long LATEST_START_NANOS = 160_000_000L;

  /** Claims of one node in a second that bring nothing; a loop that spins makes thousands. */
  private static final int MOST_EMPTY_CLAIMS = 800;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private static final Comparator<DeliveryRow> PLACE =
      Comparator.comparing(DeliveryRow::urgency)
          .thenComparing(DeliveryRow::notBefore)
          .thenComparingLong(DeliveryRow::position);

  private final Baton baton;
  private final MoveCheck moves;
  private final Story story;
  private final Map<String, DestinationLimits> limits;
  private final Map<DeliveryKey, DeliveryRow> rows = new LinkedHashMap<>();
  private final Map<DeliveryKey, Long> waitsSince = new HashMap<>();
  private final Map<DeliveryKey, DeliveryRow> finished = new LinkedHashMap<>();
  private final Map<String, Map<DeliveryKey, DeliveryRow>> hot = new TreeMap<>();
  private final Map<String, BudgetState> budgets = new HashMap<>();
  private final Map<String, RateModel> rates = new HashMap<>();
  private final GateModel gates = new GateModel();
  private final Leases leases = new Leases();
  private final Map<Long, Long> beganAt = new HashMap<>();
  private final Map<Long, Long> returnedAt = new HashMap<>();
  private final Map<String, Long> gatesReadSince = new HashMap<>();
  private final Set<DeliveryKey> promised = new HashSet<>();
  private final Set<DeliveryKey> tookIt = new HashSet<>();
  private @Nullable BrokenPromise found;
  private final int nodes;
  private long second;
  private int emptyClaims;
  long sends;
  long commits;

  Auditor(
      Baton baton, MoveCheck moves, Story story, Map<String, DestinationLimits> limits, int nodes) {
    this.nodes = nodes;
    this.baton = baton;
    this.moves = moves;
    this.story = story;
    this.limits = limits;
  }

  /** The first broken promise; the world looks after every step, since journals must not throw. */
  @Nullable BrokenPromise found() {
    return found;
  }

  private void broken(String promise, String about, String how) {
    if (found == null) {
      found = new BrokenPromise(promise, about, how);
      story.tell(baton.now(), "AUDITOR", about, () -> promise + ": " + how);
    }
  }

  // ---- what the world tells

  void began(long transaction) {
    beganAt.put(transaction, baton.now());
  }

  void returned(long transaction) {
    returnedAt.put(transaction, baton.now());
  }

  /** A node has read gate numbers; the reading began at this true time. */
  void gatesRead(String node, long since) {
    gatesReadSince.put(node, since);
  }

  void limitsAre(String destinationId, DestinationLimits now) {
    limits.put(destinationId, now);
    rates
        .computeIfAbsent(destinationId, id -> new RateModel())
        .settingsAre(now.budget(), baton.now());
  }

  /** A producer got a 2xx for it. */
  void promised(DeliveryKey key) {
    promised.add(key);
    if (!rows.containsKey(key) && !finished.containsKey(key)) {
      broken("accepted is committed", key.destinationId(), key + " was promised and is not there");
    }
  }

  // ---- what the network tells

  void sent(String node, Leased delivery) {
    sends++;
    DeliveryKey key = delivery.key();
    String id = key.destinationId();
    story.tell(baton.now(), node, id, () -> "sends " + name(delivery));
    Leases.Lease lease = leases.find(key, delivery.leaseNo());
    if (lease == null || !lease.node.equals(node)) {
      broken(
          "no send without a debit", id, node + " sent " + name(delivery) + " without its lease");
      return;
    }
    if (lease.sent) {
      broken("one send per lease", id, node + " sent " + name(delivery) + " twice");
    }
    lease.sent = true;
    baton.changed(this);
    long returned = returnedAt.getOrDefault(lease.transaction, baton.now());
    if (baton.now() - returned > LATEST_START_NANOS) {
      broken(
          "a send starts within 100 ms of its debit, or is handed back",
          id,
          "%s sent %s %d ms after its claim"
              .formatted(node, name(delivery), (baton.now() - returned) / 1_000_000));
    }
    long closed = gates.closedSince(delivery.tenantId(), id);
    long read = gatesReadSince.getOrDefault(node, Long.MIN_VALUE);
    if (closed < read && returned < read) {
      broken(
          "a closed gate is silent",
          id,
          "%s sent %s although it had read the gates after that was closed at %.4f s"
              .formatted(node, name(delivery), closed / 1e9));
    }
  }

  /** A receiver took the request and will answer so. */
  void arrived(Leased delivery, Outcome outcome) {
    if (outcome instanceof Outcome.Delivered) {
      tookIt.add(delivery.key());
    }
  }

  void completed(Leased delivery, Outcome outcome) {
    story.tell(
        baton.now(),
        "receiver",
        delivery.key().destinationId(),
        () -> "answers " + name(delivery) + ": " + outcome);
    Leases.Lease lease = leases.find(delivery.key(), delivery.leaseNo());
    if (lease != null) {
      lease.outcome = outcome;
    }
  }

  // ---- what the journal tells

  @Override
  public void committed(Commit commit) {
    commits++;
    if (commit.operation() == Operation.CLAIM && commit.changes().isEmpty()) {
      emptyClaim();
    }
    Map<String, Change.Budget> budgetsOf = new LinkedHashMap<>();
    Map<DeliveryKey, Change.Attempt> attempts = new HashMap<>();
    Set<DeliveryKey> letters = new HashSet<>();
    for (Change change : commit.changes()) {
      switch (change) {
        case Change.Budget budget -> budgetsOf.put(budget.budgetId(), budget);
        case Change.Attempt attempt -> attempts.put(attempt.row().key(), attempt);
        case Change.DeadLetter letter -> letters.add(letter.row().key());
        case Change.GateChanged gate -> {
          gates.changed(gate.scope(), gate.after(), baton.now());
          story.tell(baton.now(), "gate", "", () -> gate.scope() + " is " + gate.after());
        }
        default -> {}
      }
    }
    Map<String, Integer> leased = new LinkedHashMap<>();
    Set<String> currentGeneration = new HashSet<>();
    for (Change change : commit.changes()) {
      if (change instanceof Change.Delivery move) {
        String id = move.after().key().destinationId();
        Change.Budget budget = budgetsOf.get(id);
        moved(commit, move, budget, attempts.get(move.after().key()), letters, currentGeneration);
        if (move.after().state() == DeliveryState.LEASED) {
          leased.merge(id, 1, Integer::sum);
        }
      }
    }
    leased.forEach((id, count) -> claimed(commit, id, count, budgetsOf.get(id)));
    budgetsOf.forEach((id, budget) -> budgetWritten(commit, id, budget, currentGeneration));
    baton.changed(this);
  }

  private void emptyClaim() {
    long now = baton.now() / SECOND_NANOS;
    emptyClaims = now == second ? emptyClaims + 1 : 1;
    second = now;
    if (emptyClaims > MOST_EMPTY_CLAIMS * nodes) {
      broken("no loop spins", "", emptyClaims + " claims in a second brought nothing");
    }
  }

  private void moved(
      Commit commit,
      Change.Delivery move,
      Change.@Nullable Budget budget,
      Change.@Nullable Attempt attempt,
      Set<DeliveryKey> letters,
      Set<String> currentGeneration) {
    DeliveryRow before = move.before();
    DeliveryRow after = move.after();
    DeliveryKey key = after.key();
    String id = key.destinationId();
    Operation operation = commit.operation();
    story.tell(
        baton.now(),
        "ledger",
        id,
        () -> operation + " #" + commit.transaction() + " " + name(after));
    DeliveryRow known = rows.get(key);
    if (!Objects.equals(known, before)) {
      broken(
          "no update is lost", id, operation + " wrote over " + known + ", having seen " + before);
    }
    String wrong = MoveCheck.diagram(operation, before, after, finished.get(key));
    if (wrong != null) {
      broken("deliveries move as the diagram says", id, name(after) + ": " + wrong);
    }
    if ((after.state() == DeliveryState.DEAD) != letters.contains(key)) {
      broken("every dead one lies on the shelf", id, name(after) + " and its letter disagree");
    }
    if (operation == Operation.SETTLE && before != null) {
      settled(commit, before, after, budget, attempt, currentGeneration);
    }
    if (operation == Operation.CLAIM) {
      long generation = budget == null ? -1 : budget.after().generation();
      boolean probe = budget != null && budget.before() != null && budget.before().parked();
      String node = String.valueOf(after.leasedBy());
      leases.granted(
          new Leases.Id(key, after.leaseNo()),
          new Leases.Lease(node, commit.transaction(), generation, probe));
    }
    keep(after);
  }

  private void keep(DeliveryRow row) {
    DeliveryKey key = row.key();
    Map<DeliveryKey, DeliveryRow> its =
        hot.computeIfAbsent(key.destinationId(), id -> new LinkedHashMap<>());
    if (row.hot()) {
      rows.put(key, row);
      its.put(key, row);
    } else {
      rows.remove(key);
      its.remove(key);
      finished.put(key, row);
    }
    if (row.waits()) {
      waitsSince.put(key, baton.now());
    }
  }

  private void settled(
      Commit commit,
      DeliveryRow before,
      DeliveryRow after,
      Change.@Nullable Budget budget,
      Change.@Nullable Attempt attempt,
      Set<String> currentGeneration) {
    String id = before.key().destinationId();
    Leases.Lease lease = leases.find(before.key(), before.leaseNo());
    if (attempt != null && attempt.row().leaseNo() != before.leaseNo()) {
      broken(
          "one settle per lease number",
          id,
          "lease %d was ended by the attempt of lease %d: %s"
              .formatted(before.leaseNo(), attempt.row().leaseNo(), name(after)));
      return;
    }
    if (lease == null || budget == null) {
      broken("a settle feeds its budget", id, name(after) + " was settled without a budget");
      return;
    }
    BudgetState was = Objects.requireNonNull(budget.before());
    if (lease.generation == was.generation()) {
      currentGeneration.add(id);
    }
    boolean lost = attempt != null && attempt.row().detail().equals(Outcome.Unknown.LEASE_LOST);
    String wrong =
        moves.matrix(
            before,
            after,
            lease,
            Objects.requireNonNull(limits.get(id)),
            new MoveCheck.Circumstances(
                was.parked(), budget.after().closed() == RefuseReason.HELD_REJECTED, lost),
            commit.now());
    if (wrong != null) {
      broken("outcomes do what the matrix says", id, name(after) + ": " + wrong);
    }
    if (!lease.sent && !lost) {
      rate(id).giveBack(commit.now(), baton.now());
    }
  }

  private void claimed(Commit commit, String id, int count, Change.@Nullable Budget budget) {
    if (budget == null || budget.before() == null) {
      broken("no lease without a debit", id, count + " were leased and no budget paid");
      return;
    }
    long began = beganAt.getOrDefault(commit.transaction(), baton.now());
    List<DeliveryRow> leased = leasedBy(commit, id);
    long closed = gates.closedSince(leased.getFirst().tenantId(), id);
    if (closed < began) {
      broken("a closed gate is silent", id, "a claim leased behind a gate that was closed before");
    }
    boolean probe = budget.before().parked();
    if (probe) {
      probeLeased(id, count, commit.now());
    } else if (rate(id).debit(count, commit.now(), baton.now()) < 0) {
      broken("no debit above rate x t + burst", id, count + " more were leased than had accrued");
    }
    // A lost probe must not hold the gate for ever: only those that still run count against a
    // probe.
    long slots = rate(id).slots(baton.now());
    long running =
        leased(id)
            .filter(row -> !probe || Objects.requireNonNull(row.leaseUntil()).isAfter(commit.now()))
            .count();
    if (running > slots) {
      broken("slots are never exceeded", id, running + " are leased, " + slots + " may be");
    }
    checkOrder(commit, id, leased, began);
  }

  private void probeLeased(String id, int count, Instant now) {
    long live =
        hotOf(id).values().stream()
            .filter(row -> row.state() == DeliveryState.LEASED && probes(row))
            .filter(row -> Objects.requireNonNull(row.leaseUntil()).isAfter(now))
            .count();
    if (count > 1 || live > 1) {
      broken("a parked budget knocks with one probe", id, count + " leased, " + live + " live");
    }
  }

  private boolean probes(DeliveryRow row) {
    Leases.Lease lease = leases.find(row.key(), row.leaseNo());
    return lease != null && lease.probe;
  }

  /** What had waited since before the claim began, and comes first, must not have been passed. */
  private void checkOrder(Commit commit, String id, List<DeliveryRow> leased, long began) {
    DeliveryRow lastFirst =
        leased.stream().filter(row -> row.lane() == Lane.FIRST).max(PLACE).orElse(null);
    boolean retry = leased.stream().anyMatch(row -> row.lane() != Lane.FIRST);
    for (DeliveryRow row : hotOf(id).values()) {
      boolean passedOver =
          row.waits()
              && row.lane() == Lane.FIRST
              && !row.notBefore().isAfter(commit.now())
              && waitsSince.getOrDefault(row.key(), Long.MAX_VALUE) < began;
      if (passedOver && retry) {
        broken(
            "no retry before a first attempt",
            id,
            "a retry was leased while " + name(row) + " waits");
      }
      if (passedOver && lastFirst != null && PLACE.compare(row, lastFirst) < 0) {
        broken("oldest first", id, name(lastFirst) + " was leased while " + name(row) + " waits");
      }
    }
  }

  private static List<DeliveryRow> leasedBy(Commit commit, String id) {
    return commit.changes().stream()
        .filter(Change.Delivery.class::isInstance)
        .map(change -> ((Change.Delivery) change).after())
        .filter(row -> row.key().destinationId().equals(id))
        .toList();
  }

  private void budgetWritten(
      Commit commit, String id, Change.Budget budget, Set<String> currentGeneration) {
    BudgetState before = budget.before();
    BudgetState after = budget.after();
    rate(id).touched(commit.now(), baton.now());
    if (!Objects.equals(budgets.put(id, after), before)) {
      broken("no update is lost", id, "a budget was written over");
    }
    long running = leasedOf(id);
    if (after.inFlight() != running) {
      broken(
          "a slot is released once per lease",
          id,
          "the budget counts %d in flight, %d are leased".formatted(after.inFlight(), running));
    }
    DestinationLimits its = limits.get(id);
    if (before != null && its != null && commit.operation() == Operation.SETTLE) {
      boolean cut =
          after.ratePerSecond(its.budget()) < 0.9 * before.ratePerSecond(its.budget())
              && after.generation() > before.generation();
      if (cut && !after.parked() && !currentGeneration.contains(id)) {
        broken(
            "one cut per generation",
            id,
            "the rate was cut from %.2f to %.2f by answers of older generations"
                .formatted(before.ratePerSecond(its.budget()), after.ratePerSecond(its.budget())));
      }
    }
  }

  // ---- what is asked at the end

  /** Everything that was accepted has ended; nothing runs. */
  boolean allEnded() {
    return rows.isEmpty();
  }

  /** Rows that have not ended. */
  List<DeliveryRow> unfinished() {
    return List.copyOf(rows.values());
  }

  /** All deliveries, finished or not, with the row that is the latest. */
  Map<DeliveryKey, DeliveryRow> everything() {
    Map<DeliveryKey, DeliveryRow> all = new LinkedHashMap<>(finished);
    all.putAll(rows);
    return all;
  }

  /** Whether this lease was granted and nothing was sent under it yet. */
  boolean unsent(DeliveryRow row) {
    Leases.Lease lease = leases.find(row.key(), row.leaseNo());
    return lease != null && !lease.sent;
  }

  /** Whether something was sent under this lease and no answer came yet. */
  boolean unanswered(DeliveryRow row) {
    Leases.Lease lease = leases.find(row.key(), row.leaseNo());
    return lease != null && lease.sent && lease.outcome == null;
  }

  boolean isOpen(String id) {
    return gates.closedSince(Plan.tenantOf(id), id) == GateModel.OPEN;
  }

  @Nullable BudgetState budget(String id) {
    return budgets.get(id);
  }

  /** What was promised must be there, and what counts as delivered must have arrived. */
  void finish() {
    for (DeliveryKey key : promised) {
      if (!rows.containsKey(key) && !finished.containsKey(key)) {
        broken("nothing accepted is lost", key.destinationId(), key + " is gone");
      }
    }
    finished.forEach((key, row) -> {
      if (row.state() == DeliveryState.DELIVERED && !tookIt.contains(key)) {
        broken("delivered has arrived", key.destinationId(), name(row) + " never arrived");
      }
    });
  }

  /** A node ended gracefully and says that it left nothing in flight. */
  void stoppedClean(String node) {
    for (DeliveryRow row : rows.values()) {
      Leases.Lease lease = leases.find(row.key(), row.leaseNo());
      boolean left = row.state() == DeliveryState.LEASED && node.equals(row.leasedBy());
      if (left && lease != null && lease.sent) {
        broken("a stop leaves nothing sent and unsettled", row.key().destinationId(), name(row));
      }
    }
  }

  void liveness(String about, String how) {
    broken("without faults everything ends", about, how);
  }

  void lostWakeup(String about, String how) {
    broken("a hint is acted on at once", about, how);
  }

  /** What is leased of a destination now. */
  Stream<DeliveryRow> leased(String id) {
    return hotOf(id).values().stream().filter(row -> row.state() == DeliveryState.LEASED);
  }

  private long leasedOf(String id) {
    return leased(id).count();
  }

  private Map<DeliveryKey, DeliveryRow> hotOf(String id) {
    return hot.getOrDefault(id, Map.of());
  }

  private RateModel rate(String id) {
    return Objects.requireNonNull(rates.get(id));
  }

  static String name(DeliveryRow row) {
    return "%s/%s lease %d %s lane %s attempt %d"
        .formatted(
            row.key().destinationId(),
            nth(row.key()),
            row.leaseNo(),
            row.state().word(),
            row.lane(),
            row.attempt());
  }

  private static String name(Leased delivery) {
    return "%s/%s lease %d"
        .formatted(delivery.key().destinationId(), nth(delivery.key()), delivery.leaseNo());
  }

  private static String nth(DeliveryKey key) {
    return "#" + (key.eventId().getLeastSignificantBits() & 0xffff);
  }
}
