package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.testkit.memory.Change.GateRow;
import io.penstock.testkit.memory.ClaimWork.BudgetKey;
import io.penstock.testkit.memory.Interleave.Step;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Changes of gates: the gate first, then the budgets behind it. */
final class GateWork {
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
    return new GateChange(changes, changes ? after.gateNo() : before.gateNo());
  }

  /** Closes a destination's gate if its budget, under its lock, still says so. */
  OptionalLong follow(
      String destinationId, GateAction action, Audit by, Predicate<BudgetState> still) {
    List<Destination> found = ledger.find(Set.of(destinationId));
    if (found.isEmpty()) {
      return OptionalLong.empty();
    }
    GateScope scope = new GateScope.OfDestination(destinationId);
    String budgetId = found.getFirst().budgetId();
    tx.step(Step.LOCK);
    tx.lock(scope);
    tx.lock(new BudgetKey(budgetId));
    if (!still.test(ledger.budgetUnderLock(budgetId))) {
      return OptionalLong.empty();
    }
    GateRow before = store.gate(scope);
    GateRow after = changed(before, action, tx.now());
    tx.step(Step.WRITE);
    long inForce = store.gateOf(found.getFirst()).gateNo();
    if (same(before, after)) {
      return OptionalLong.of(inForce);
    }
    tx.write(new Change.GateChanged(scope, after));
    tx.audit(by, "gate." + action.name().toLowerCase(Locale.ROOT), nameOf(scope));
    return OptionalLong.of(inForce + 1);
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

  private static String nameOf(GateScope scope) {
    return switch (scope) {
      case GateScope.Everything() -> "everything";
      case GateScope.OfTenant(String id) -> id;
      case GateScope.OfDestination(String id) -> id;
    };
  }
}
