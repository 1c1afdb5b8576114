package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Outcome;
import io.penstock.budget.RefuseReason;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.testkit.memory.Change;
import io.penstock.testkit.memory.Commit;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches every commit, every request and every answer, and compares them with a model of its own,
 * which it keeps from the journal alone. The first promise that breaks ends the run with a {@link
 * BrokenPromise}.
 */
final class Auditor implements Commit.Journal {
  private final Model model;
  private final MoveCheck moves;
  private final ClaimAudit claims;
  private final SpinAudit emptyClaims;
  private final SpinAudit emptyWalks;
  private final NetworkAudit network;
  private final RedriveAudit redrives;
  private final TubeAudit tubes;
  long sends;
  long commits;

  Auditor(
      Baton baton, MoveCheck moves, Story story, Map<String, DestinationLimits> limits, Plan plan) {
    this.model = new Model(baton, story, limits, plan);
    this.moves = moves;
    this.claims = new ClaimAudit(model);
    this.emptyClaims = new SpinAudit(model, "claims", plan.nodes());
    this.emptyWalks = new SpinAudit(model, "walks", plan.nodes());
    this.network = new NetworkAudit(model);
    this.redrives = new RedriveAudit(model);
    this.tubes = new TubeAudit(model);
  }

  /** The first broken promise; the world looks after every step, since journals must not throw. */
  @Nullable BrokenPromise found() {
    return model.found();
  }

  // ---- what the world tells

  void began(long transaction) {
    model.beganAt.put(transaction, model.now());
  }

  void returned(long transaction) {
    model.returnedAt.put(transaction, model.now());
  }

  /** A node has read gate numbers; the reading began at this true time. */
  void gatesRead(String node, long since) {
    network.gatesRead(node, since);
  }

  void limitsAre(String destinationId, DestinationLimits now) {
    model.limitsAre(destinationId, now);
    tubes.limitsAre(destinationId, now);
  }

  /** A producer got a 2xx for it. */
  void promised(DeliveryKey key) {
    network.promised(key);
  }

  void sent(String node, Leased delivery) {
    sends++;
    network.sent(node, delivery);
    model.baton.changed(this);
  }

  /** What workers are told, and what they hold. */
  TubeAudit tubes() {
    return tubes;
  }

  /** A worker ends a job so: as good as an answer to what was sent. */
  void ends(Leased job, Outcome outcome) {
    tubes.tells(job);
    Leases.Lease lease = model.leases.find(job.key(), job.leaseNo());
    if (lease != null) {
      lease.sent = true;
    }
    network.arrived(job, outcome);
    network.completed(job, outcome);
  }

  /** A receiver took the request and will answer so. */
  void arrived(Leased delivery, Outcome outcome) {
    network.arrived(delivery, outcome);
  }

  /** The answer reached the node. */
  void completed(Leased delivery, Outcome outcome) {
    network.completed(delivery, outcome);
  }

  // ---- what the journal tells

  @Override
  public void committed(Commit commit) {
    commits++;
    if (commit.operation() == Operation.CLAIM && commit.changes().isEmpty()) {
      emptyClaims.broughtNothing();
    }
    if (commit.operation() == Operation.WALK) {
      emptyWalks.broughtNothing();
    }
    redrives.committed(commit);
    tubes.committed(commit);
    Map<String, Change.Budget> budgetsOf = new LinkedHashMap<>();
    Map<DeliveryKey, Change.Attempt> attempts = new HashMap<>();
    Set<DeliveryKey> letters = new HashSet<>();
    for (Change change : commit.changes()) {
      switch (change) {
        case Change.Budget budget -> budgetsOf.put(budget.budgetId(), budget);
        case Change.Attempt attempt -> attempts.put(attempt.row().key(), attempt);
        case Change.DeadLetter letter -> letters.add(letter.row().key());
        case Change.GateChanged gate -> {
          model.gates.changed(gate.scope(), gate.after(), model.now());
          model.story.tell(model.now(), "gate", "", () -> gate.scope() + " is " + gate.after());
        }
        case Change.DestinationDeleted(String id) -> {
          model.gates.deleted(id, model.now());
          model.story.tell(model.now(), "gate", id, () -> id + " is deleted");
        }
        default -> {}
      }
    }
    Map<String, Integer> leased = new LinkedHashMap<>();
    Set<String> currentGeneration = new HashSet<>();
    for (Change change : commit.changes()) {
      if (change instanceof Change.Delivery move) {
        String id = move.after().key().destinationId();
        Change.Budget budget = budgetsOf.get(model.plan.budgetOf(id));
        moved(commit, move, budget, attempts.get(move.after().key()), letters, currentGeneration);
        if (commit.operation() == Operation.CLAIM) {
          leased.merge(id, 1, Integer::sum);
        }
      }
    }
    leased.forEach(
        (id, count) -> claims.claimed(commit, id, count, budgetsOf.get(model.plan.budgetOf(id))));
    budgetsOf.forEach((id, budget) -> budgetWritten(commit, id, budget, currentGeneration));
    model.baton.changed(this);
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
    model.story.tell(
        model.now(),
        "ledger",
        id,
        () -> operation + " #" + commit.transaction() + " " + Model.name(after));
    DeliveryRow known = model.rows.get(key);
    if (!Objects.equals(known, before)) {
      model.broken(
          "no update is lost", id, operation + " wrote over " + known + ", having seen " + before);
    }
    String wrong = MoveCheck.diagram(operation, before, after, model.finished.get(key));
    if (wrong != null) {
      model.broken("deliveries move as the diagram says", id, Model.name(after) + ": " + wrong);
    }
    if ((after.state() == DeliveryState.DEAD) != letters.contains(key)) {
      model.broken(
          "every dead one lies on the shelf", id, Model.name(after) + " and its letter disagree");
    }
    checkGate(commit, after);
    boolean settles = operation == Operation.SETTLE || operation == Operation.END_JOBS;
    if (settles && before != null) {
      settled(commit, before, after, budget, attempt, currentGeneration);
    }
    if (operation == Operation.CLAIM) {
      long generation = budget == null ? -1 : budget.after().generation();
      boolean probe = budget != null && budget.before() != null && budget.before().parked();
      String node = String.valueOf(after.leasedBy());
      model.leases.granted(
          new Leases.Id(key, after.leaseNo()),
          new Leases.Lease(node, commit.transaction(), generation, probe));
    }
    model.keep(after);
  }

  /** What must not happen any more once a gate is closed; claims and sends are held to it too. */
  private void checkGate(Commit commit, DeliveryRow after) {
    String id = after.key().destinationId();
    long began = model.beganAt.getOrDefault(commit.transaction(), model.now());
    if (commit.operation() == Operation.EXPIRE
        && model.gates.closedSince(after.tenantId(), id) < began) {
      model.broken(
          "nothing expires behind a closed gate", id, Model.name(after) + " did: " + after);
    }
    if (commit.operation() == Operation.ACCEPT && model.gates.deletedSince(id) < began) {
      model.broken("what is deleted takes nothing new", id, Model.name(after) + " was accepted");
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
    Leases.Lease lease = model.leases.find(before.key(), before.leaseNo());
    if (attempt != null && attempt.row().leaseNo() != before.leaseNo()) {
      model.broken(
          "one settle per lease number",
          id,
          "lease %d was ended by the attempt of lease %d: %s"
              .formatted(before.leaseNo(), attempt.row().leaseNo(), Model.name(after)));
      return;
    }
    if (lease == null || budget == null) {
      model.broken(
          "a settle feeds its budget", id, Model.name(after) + " was settled without a budget");
      return;
    }
    BudgetState was = Objects.requireNonNull(budget.before());
    if (lease.generation == was.generation()) {
      currentGeneration.add(budget.budgetId());
    }
    boolean lost = attempt != null && attempt.row().detail().equals(Outcome.Unknown.LEASE_LOST);
    String wrong =
        moves.matrix(
            before,
            after,
            lease,
            Objects.requireNonNull(model.limits.get(id)),
            new MoveCheck.Circumstances(
                was.parked(), budget.after().closed() == RefuseReason.HELD_REJECTED, lost),
            commit.now());
    if (wrong != null) {
      model.broken("outcomes do what the matrix says", id, Model.name(after) + ": " + wrong);
    }
    if (!lease.sent && !lost) {
      model.rate(id).giveBack(commit.now(), model.now());
    }
  }

  private void budgetWritten(
      Commit commit, String id, Change.Budget budget, Set<String> currentGeneration) {
    BudgetState before = budget.before();
    BudgetState after = budget.after();
    model.rate(id).touched(commit.now(), model.now());
    model.budgetWrittenAt.put(id, model.now());
    if (!Objects.equals(model.budgets.put(id, after), before)) {
      model.broken("no update is lost", id, "a budget was written over");
    }
    long running = model.leasedOfBudget(id).count();
    if (after.inFlight() != running) {
      model.broken(
          "a slot is released once per lease",
          id,
          "the budget counts %d in flight, %d are leased".formatted(after.inFlight(), running));
    }
    DestinationLimits its = model.limits.get(id);
    Operation operation = commit.operation();
    boolean settles = operation == Operation.SETTLE || operation == Operation.END_JOBS;
    if (before != null && its != null && settles) {
      boolean cut =
          after.ratePerSecond(its.budget()) < 0.9 * before.ratePerSecond(its.budget())
              && after.generation() > before.generation();
      if (cut && !after.parked() && !currentGeneration.contains(id)) {
        model.broken(
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
    return model.rows.isEmpty() && !redrives.anyActive();
  }

  /** Rows that have not ended. */
  List<DeliveryRow> unfinished() {
    return List.copyOf(model.rows.values());
  }

  /** All deliveries, finished or not, with the row that is the latest. */
  Map<DeliveryKey, DeliveryRow> everything() {
    Map<DeliveryKey, DeliveryRow> all = new LinkedHashMap<>(model.finished);
    all.putAll(model.rows);
    return all;
  }

  /** What is leased of a destination now. */
  Stream<DeliveryRow> leased(String id) {
    return model.leased(id);
  }

  /** Whether this lease was granted and nothing was sent under it yet. */
  boolean unsent(DeliveryRow row) {
    Leases.Lease lease = model.leaseOf(row);
    return lease != null && !lease.sent;
  }

  /** Whether something was sent under this lease and no answer came yet. */
  boolean unanswered(DeliveryRow row) {
    Leases.Lease lease = model.leaseOf(row);
    return lease != null && lease.sent && lease.outcome == null;
  }

  boolean isOpen(String id) {
    return model.gates.closedSince(Plan.tenantOf(id), id) == GateModel.OPEN;
  }

  boolean isDeleted(String id) {
    return model.gates.deletedSince(id) != GateModel.OPEN;
  }

  /** Whether a destination's own gate is closed, whatever those above it are. */
  boolean closedByItself(String id) {
    return model.gates.closedByItself(id);
  }

  @Nullable BudgetState budget(String id) {
    return model.budgets.get(model.plan.budgetOf(id));
  }

  /** How long nothing was booked on a budget. */
  Duration budgetQuietFor(String id) {
    return Duration.ofNanos(
        model.now() - model.budgetWrittenAt.getOrDefault(model.plan.budgetOf(id), 0L));
  }

  /** What was promised must be there, and what counts as delivered must have arrived. */
  void finish() {
    network.finish();
  }

  /** A node ended gracefully and says that it left nothing in flight. */
  void stoppedClean(String node) {
    network.stoppedClean(node);
  }

  void liveness(String about, String how) {
    model.broken("without faults everything ends", about, how);
  }

  void lostWakeup(String about, String how) {
    model.broken("a hint is acted on at once", about, how);
  }
}
