package io.penstock.gameday.sim;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Urgency;
import io.penstock.testkit.memory.Change;
import io.penstock.testkit.memory.Commit;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a claim may lease: behind which gate, for how much, how many at once, in which order. */
final class ClaimAudit {
  private static final Comparator<DeliveryRow> PLACE =
      Comparator.comparing(DeliveryRow::urgency)
          .thenComparing(DeliveryRow::notBefore)
          .thenComparingLong(DeliveryRow::position);

  private final Model model;

  ClaimAudit(Model model) {
    this.model = model;
  }

  void claimed(Commit commit, String id, int count, Change.@Nullable Budget budget) {
    if (budget == null || budget.before() == null) {
      model.broken("no lease without a debit", id, count + " were leased and no budget paid");
      return;
    }
    long began = model.beganAt.getOrDefault(commit.transaction(), model.now());
    List<DeliveryRow> leased = leasedBy(commit, id);
    long closed = model.gates.closedSince(leased.getFirst().tenantId(), id);
    if (closed < began) {
      model.broken(
          "a closed gate is silent", id, "a claim leased behind a gate that was closed before");
    }
    boolean probe = budget.before().parked();
    if (probe) {
      probeLeased(id, count, commit.now());
    } else if (model.rate(id).debit(count, commit.now(), model.now()) < 0) {
      model.broken(
          "no debit above rate x t + burst", id, count + " more were leased than had accrued");
    }
    long beyond = model.rate(id).beyondQuota(count, commit.now(), model.now());
    if (beyond > 0) {
      model.broken("no debit above the quota", id, beyond + " more were leased than it allows");
    }
    long slots = model.rate(id).slots(model.now());
    long running = model.leasedOfBudget(model.plan.budgetOf(id)).count();
    if (running > slots) {
      model.broken("slots are never exceeded", id, running + " are leased, " + slots + " may be");
    }
    checkOrder(commit, id, leased, began);
  }

  private void probeLeased(String id, int count, Instant now) {
    long live =
        model
            .leasedOfBudget(model.plan.budgetOf(id))
            .filter(this::probes)
            .filter(row -> Objects.requireNonNull(row.leaseUntil()).isAfter(now))
            .count();
    if (count > 1 || live > 1) {
      model.broken(
          "a parked budget knocks with one probe", id, count + " leased, " + live + " live");
    }
  }

  private boolean probes(DeliveryRow row) {
    Leases.Lease lease = model.leaseOf(row);
    return lease != null && lease.probe;
  }

  /** What had waited since before the claim began, and comes first, must not have been passed. */
  private void checkOrder(Commit commit, String id, List<DeliveryRow> leased, long began) {
    DeliveryRow lastFirst =
        leased.stream().filter(row -> row.lane() == Lane.FIRST).max(PLACE).orElse(null);
    boolean retry = leased.stream().anyMatch(row -> row.lane() != Lane.FIRST);
    for (DeliveryRow row : model.hotOf(id).values()) {
      boolean passedOver =
          row.waits()
              && row.lane() == Lane.FIRST
              && !mayBeHeldBack(row)
              && !row.notBefore().isAfter(commit.now())
              && model.waitsSince(row) < began;
      if (passedOver && retry) {
        model.broken(
            "no retry before a first attempt",
            id,
            "a retry was leased while " + Model.name(row) + " waits");
      }
      if (passedOver && lastFirst != null && PLACE.compare(row, lastFirst) < 0) {
        model.broken(
            "oldest first",
            id,
            Model.name(lastFirst) + " was leased while " + Model.name(row) + " waits");
      }
    }
  }

  /** Batch work that would touch what a quota keeps for interactive work. */
  private boolean mayBeHeldBack(DeliveryRow row) {
    String id = row.key().destinationId();
    return row.urgency() == Urgency.BATCH && model.rate(id).keepsForInteractive(model.now());
  }

  private static List<DeliveryRow> leasedBy(Commit commit, String id) {
    return commit.changes().stream()
        .filter(Change.Delivery.class::isInstance)
        .map(change -> ((Change.Delivery) change).after())
        .filter(row -> row.key().destinationId().equals(id))
        .toList();
  }
}
