package io.penstock.testkit.memory;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.testkit.memory.Change.GateRow;
import io.penstock.testkit.memory.ClaimWork.BudgetKey;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Changes of gates: the gate first, then the budgets behind it. */
final class GateWork {
  /** How far what waits is counted. */
  private static final int COUNT_BOUND = 10_000;

  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;

  GateWork(MemoryLedger ledger, Transaction tx) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
  }

  GateChange change(GateScope scope, GateAction action, Audit by, BudgetRule reopened) {
    tx.step(Step.LOCK);
    List<Destination> behind = behind(scope);
    tx.lock(scope);
    GateRow before = store.gate(scope);
    Instant now = tx.now();
    GateRow after = changed(before, action, now);
    boolean changes = !same(before, after);
    if (changes) {
      tx.write(new Change.GateChanged(scope, after));
      tx.audit(by, "gate." + action.name().toLowerCase(Locale.ROOT), nameOf(scope));
      if (reopens(action)) {
        reopen(behind, reopened, now);
      }
    }
    tx.step(Step.WRITE);
    return counted(behind, changes, changes ? after.gateNo() : before.gateNo());
  }

  private List<Destination> behind(GateScope scope) {
    synchronized (store) {
      List<Destination> all = List.copyOf(store.destinations.values());
      return switch (scope) {
        case GateScope.Everything() -> all;
        case GateScope.OfTenant(String tenantId) -> {
          if (!store.tenants.contains(tenantId)) {
            throw new IllegalArgumentException("no tenant " + tenantId);
          }
          yield all.stream().filter(d -> d.tenantId().equals(tenantId)).toList();
        }
        case GateScope.OfDestination(String id) -> {
          List<Destination> one = all.stream().filter(d -> d.id().equals(id)).toList();
          if (one.isEmpty()) {
            throw new IllegalArgumentException("no destination " + id);
          }
          yield one;
        }
      };
    }
  }

  private static boolean reopens(GateAction action) {
    return switch (action) {
      case RESUME, RELEASE, ENABLE -> true;
      case PAUSE, HOLD, DISABLE -> false;
    };
  }

  private static GateRow changed(GateRow row, GateAction action, Instant now) {
    Instant at = reopens(action) ? now : row.reopenedAt();
    long next = row.gateNo() + 1;
    return switch (action) {
      case PAUSE -> new GateRow(next, row.disabled(), true, row.held(), at);
      case RESUME -> new GateRow(next, row.disabled(), false, row.held(), at);
      case HOLD -> new GateRow(next, row.disabled(), row.paused(), true, at);
      case RELEASE -> new GateRow(next, row.disabled(), row.paused(), false, at);
      case DISABLE -> new GateRow(next, true, row.paused(), row.held(), at);
      case ENABLE -> new GateRow(next, false, row.paused(), row.held(), at);
    };
  }

  private static boolean same(GateRow a, GateRow b) {
    return a.disabled() == b.disabled() && a.paused() == b.paused() && a.held() == b.held();
  }

  private void reopen(List<Destination> behind, BudgetRule rule, Instant now) {
    TreeSet<String> budgetIds = new TreeSet<>();
    behind.forEach(destination -> budgetIds.add(destination.budgetId()));
    budgetIds.forEach(id -> tx.lock(new BudgetKey(id)));
    for (String id : budgetIds) {
      var state = ledger.budgetUnderLock(id);
      tx.budget(id, state, rule.apply(id, state, now));
    }
  }

  private GateChange counted(List<Destination> behind, boolean changed, long gateNo) {
    synchronized (store) {
      long waiting = 0;
      Instant oldest = null;
      for (Destination destination : behind) {
        Waiting rows = store.waiting.get(destination.id());
        if (rows == null) {
          continue;
        }
        for (DeliveryRow row : rows.rows()) {
          waiting++;
          oldest = oldest == null || row.ageFrom().isBefore(oldest) ? row.ageFrom() : oldest;
        }
      }
      return new GateChange(changed, gateNo, Math.min(waiting, COUNT_BOUND), oldest);
    }
  }

  private static String nameOf(GateScope scope) {
    return switch (scope) {
      case GateScope.Everything() -> "everything";
      case GateScope.OfTenant(String id) -> id;
      case GateScope.OfDestination(String id) -> id;
    };
  }
}
