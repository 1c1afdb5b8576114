package io.penstock.gameday.sim;

import io.penstock.budget.Outcome;
import io.penstock.budget.work.WorkBalance;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.testkit.memory.Change;
import io.penstock.testkit.memory.Commit;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which job and what for, as the journal and the workers tell: one live lease of a job,
 * ended once and under its own number; every second held is charged, and none twice; never more at
 * once than a tube may have, nor more in all than it was allotted. The journal must not throw.
 */
final class TubeAudit {
  private static final String ENDS_BY_NUMBER = "no settle by an old lease number";
  private static final String CHARGED = "what is held is charged, and once";

  private final Model model;
  private final Map<DeliveryKey, Live> live = new LinkedHashMap<>();
  private final Map<Leases.Id, End> ends = new HashMap<>();
  private final Set<Leases.Id> told = new HashSet<>();
  private final Set<Leases.Id> booked = new HashSet<>();
  private final Map<String, TubeAccount> accounts = new HashMap<>();
  private boolean calm;

  /** A lease in force. */
  private record Live(HeldJob job, boolean probe) {
    Leases.Id id() {
      return new Leases.Id(job.lease().key(), job.lease().leaseNo());
    }
  }

  /** How a lease ended. */
  private record End(String how, boolean byItsWorker, long nanos) {}

  TubeAudit(Model model) {
    this.model = model;
  }

  void limitsAre(String id, DestinationLimits its) {
    if (model.plan.tubes().has(id)) {
      account(id).limitsAre(its.tube(), model.now());
    }
  }

  /** From now on there are more workers than anybody accounts for. */
  void calm() {
    calm = true;
  }

  private TubeAccount account(String id) {
    return accounts.computeIfAbsent(id, _ -> new TubeAccount());
  }

  /** The lease number under which a job is held now; 0 = nobody holds it. */
  long heldUnder(DeliveryKey key) {
    Live one = live.get(key);
    return one == null ? 0 : one.job().lease().leaseNo();
  }

  // ---- what workers tell, and are told

  /** A worker is about to end or to hand back a job. */
  void tells(Leased job) {
    told.add(new Leases.Id(job.key(), job.leaseNo()));
  }

  /** A worker's renewal was answered. */
  void renewed(String worker, JobRef ref, boolean extended, long calledAt) {
    Leases.Id id = new Leases.Id(ref.key(), ref.leaseNo());
    End end = ends.get(id);
    if (extended && end != null && end.nanos() < calledAt) {
      broken("no renewal of a lease that has ended", id, worker + " renewed what was " + end.how());
    }
    if (!extended && end == null) {
      broken("who holds a live lease can renew it", id, worker + " was told that it is lost");
    }
  }

  /** A worker's end of a job was answered: booked, or lost before. */
  void ended(String worker, JobRef ref, boolean applied) {
    Leases.Id id = new Leases.Id(ref.key(), ref.leaseNo());
    End end = ends.get(id);
    if (applied && (end == null || !end.byItsWorker() || !booked.add(id))) {
      String was = end == null ? "still live" : end.how() + " before";
      broken(ENDS_BY_NUMBER, id, worker + " was told that its end is booked; it was " + was);
    }
    if (!applied && end == null) {
      broken("who holds a live lease can end it", id, worker + " was told that it is lost");
    }
  }

  private void broken(String promise, Leases.Id id, String how) {
    String tube = id.key().destinationId();
    model.broken(promise, tube, "lease %d of %s: %s".formatted(id.leaseNo(), id.key(), how));
  }

  // ---- what the journal tells

  void committed(Commit commit) {
    if (model.plan.tubes().limits().isEmpty()) {
      return;
    }
    Map<DeliveryKey, HeldJob> held = new HashMap<>();
    Map<DeliveryKey, AttemptSeen> attempts = new HashMap<>();
    Map<String, Change.Budget> budgets = new LinkedHashMap<>();
    for (Change change : commit.changes()) {
      switch (change) {
        case Change.Held(DeliveryKey key, HeldJob job) when job != null -> held.put(key, job);
        case Change.Attempt(AttemptSeen row) -> attempts.put(row.key(), row);
        case Change.Budget budget when model.plan.tubes().has(budget.budgetId()) ->
            budgets.put(budget.budgetId(), budget);
        default -> {}
      }
    }
    Set<String> claimed = new HashSet<>();
    for (Change change : commit.changes()) {
      if (change instanceof Change.Delivery(DeliveryRow before, DeliveryRow after)
          && model.plan.tubes().has(after.key().destinationId())) {
        DeliveryKey key = after.key();
        switch (commit.operation()) {
          case CLAIM -> {
            leased(after, held.get(key), budgets.get(key.destinationId()));
            claimed.add(key.destinationId());
          }
          case RENEW -> renewed(commit, after, held.get(key));
          case END_JOBS -> ended(commit, before, after, attempts.get(key));
          case CANCEL -> cancelled(commit, before, key);
          case SETTLE -> model.broken("jobs end as jobs", key.destinationId(), "a send ended one");
          default -> {}
        }
      }
    }
    budgets.forEach((id, budget) -> accounted(commit, id, budget));
    claimed.forEach(id -> runsWithin(id, commit.now(), budgets.get(id)));
  }

  private void leased(DeliveryRow after, @Nullable HeldJob job, Change.@Nullable Budget budget) {
    DeliveryKey key = after.key();
    Leases.Id id = new Leases.Id(key, after.leaseNo());
    if (job == null || job.lease().leaseNo() != after.leaseNo()) {
      broken("somebody holds what is leased", id, "the ledger has " + job);
      return;
    }
    boolean probe = budget != null && budget.before() != null && budget.before().parked();
    Live other = live.put(key, new Live(job, probe));
    if (other != null) {
      broken("never two live leases of one job", id, other.id() + " has not ended");
    }
    if (ends.containsKey(id)) {
      broken("a lease number is used once", id, "it ended before");
    }
    account(key.destinationId()).leased(job);
  }

  private void renewed(Commit commit, DeliveryRow after, @Nullable HeldJob job) {
    Leases.Id id = new Leases.Id(after.key(), after.leaseNo());
    Live before = live.get(after.key());
    if (job == null || before == null || !before.id().equals(id)) {
      broken("no renewal of a lease that has ended", id, "the ledger extended it");
      return;
    }
    live.put(after.key(), new Live(job, before.probe()));
    TubeAccount account = account(after.key().destinationId());
    Duration wanted = longer(before.job().charged(), before.job().heldAt(commit.now()));
    if (account.charges(job) && !job.charged().equals(wanted)) {
      broken(
          CHARGED, id, "a renewal left it charged %s, wanted %s".formatted(job.charged(), wanted));
    }
    account.renewed(before.job(), job);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private void ended(
      Commit commit,
      @Nullable DeliveryRow before,
      DeliveryRow after,
      @Nullable AttemptSeen attempt) {
    Live one = live.remove(after.key());
    if (one == null || before == null || before.leaseNo() != one.id().leaseNo()) {
      broken(
          "who ends a job holds it", new Leases.Id(after.key(), after.leaseNo()), "it was " + one);
      return;
    }
    boolean lost = attempt != null && attempt.detail().equals(Outcome.Unknown.LEASE_LOST);
    if (!lost && !told.contains(one.id())) {
      broken(ENDS_BY_NUMBER, one.id(), "its worker has not ended it, and it is " + after.state());
    }
    Instant until = lost ? Objects.requireNonNull(before.leaseUntil()) : commit.now();
    Duration held = one.job().heldAt(until);
    String how = lost ? "lost" : attempt == null ? "handed back" : "ended";
    boolean free =
        attempt == null
            && held.compareTo(Objects.requireNonNull(model.plan.tubes().leasing()).lease()) <= 0;
    end(one, how, !lost, free && !one.job().lent() ? Duration.ZERO : held);
    if (after.state() == DeliveryState.DELIVERED) {
      account(after.key().destinationId()).completed++;
    }
  }

  private void cancelled(Commit commit, @Nullable DeliveryRow before, DeliveryKey key) {
    Live one = live.remove(key);
    boolean leased = before != null && before.state() == DeliveryState.LEASED;
    if (leased != (one != null)) {
      model.broken("who is leased is held", key.destinationId(), key + " was cancelled: " + one);
    } else if (one != null) {
      end(one, "cancelled", false, one.job().heldAt(commit.now()));
    }
  }

  private void end(Live one, String how, boolean byItsWorker, Duration took) {
    ends.put(one.id(), new End(how, byItsWorker, model.now()));
    account(one.id().key().destinationId()).ended(one.job(), one.probe(), took);
  }

  /** What the budget says that it charged is what the leases say. */
  private void accounted(Commit commit, String id, Change.Budget budget) {
    TubeAccount account = account(id);
    WorkBalance work = budget.after().work();
    account.passed(commit.now());
    if (work == null || !account.metered()) {
      return;
    }
    if (Math.abs(work.charged() - account.charged()) > TubeAccount.HAIR) {
      model.broken(
          CHARGED,
          id,
          "%s left the account charged %.6f s; what was held comes to %.6f s"
              .formatted(commit.operation(), work.charged(), account.charged()));
    }
  }

  private void runsWithin(String id, Instant now, Change.@Nullable Budget budget) {
    TubeAccount account = account(id);
    if (!account.metered() || calm || budget == null) {
      return;
    }
    long running =
        live.values().stream()
            .filter(one -> !one.probe() && one.id().key().destinationId().equals(id))
            .count();
    boolean probe = budget.before() != null && budget.before().parked();
    int most = account.mostRunning(model.now());
    if (!probe && running > most) {
      model.broken(
          "never more at once than a tube may have", id, running + " run, " + most + " may");
    }
    double used = account.used();
    for (Live one : live.values()) {
      if (one.id().key().destinationId().equals(id) && !one.probe() && !one.job().lent()) {
        used += TubeAccount.seconds(one.job().heldAt(now));
        account.ran(one.job().heldAt(now));
      }
    }
    WorkBalance work = budget.after().work();
    double forgiven = work == null ? 0 : work.forgiven();
    double bound = account.bound(running) + forgiven;
    if (used > bound) {
      model.broken(
          "used within a·T + C + workers × longest",
          id,
          "%.3f worker-seconds were used, at most %.3f may be".formatted(used, bound));
    }
  }
}
