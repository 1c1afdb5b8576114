package io.penstock.testkit.memory;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.testkit.memory.ClaimWork.BudgetKey;
import io.penstock.testkit.memory.Interleave.Step;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Tenants, destinations and subscriptions. */
final class Configuration {
  private final Store store;
  private final MemoryLedger ledger;
  private final Transaction tx;

  Configuration(MemoryLedger ledger, Transaction tx) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
  }

  /** Names the row of a tenant or destination among the locks. */
  private record ConfigKey(String id) {}

  boolean createTenant(String tenantId, Audit by) {
    tx.step(Step.LOCK);
    tx.lock(new ConfigKey("tenant " + tenantId));
    if (hasTenant(tenantId)) {
      return false;
    }
    tx.write(new Change.Tenant(tenantId));
    tx.audit(by, "tenant.create", tenantId);
    return true;
  }

  Optional<Destination> createDestination(Destination wanted, BudgetRule initial, Audit by) {
    if (!hasTenant(wanted.tenantId())) {
      throw new IllegalArgumentException("no tenant " + wanted.tenantId());
    }
    tx.step(Step.LOCK);
    tx.lock(new ConfigKey("destination " + wanted.id()));
    tx.lock(new BudgetKey(wanted.budgetId()));
    synchronized (store) {
      if (store.destinations.containsKey(wanted.id())) {
        return Optional.empty();
      }
    }
    Destination made =
        new Destination(
            wanted.id(),
            Shard.of(wanted.id(), ledger.shards()),
            wanted.tenantId(),
            wanted.mode(),
            wanted.url(),
            wanted.headers(),
            wanted.secrets(),
            wanted.budgetId(),
            wanted.configNo());
    tx.write(new Change.NewDestination(made));
    if (!hasBudget(wanted.budgetId())) {
      tx.budget(wanted.budgetId(), null, initial.apply(wanted.budgetId(), null, tx.now()));
    }
    tx.audit(by, "destination.create", wanted.id());
    return Optional.of(made);
  }

  boolean deleteDestination(String destinationId, Audit by) {
    tx.step(Step.LOCK);
    tx.lock(new ConfigKey("destination " + destinationId));
    synchronized (store) {
      if (!store.destinations.containsKey(destinationId) || store.deleted.contains(destinationId)) {
        return false;
      }
    }
    tx.write(new Change.DestinationDeleted(destinationId));
    tx.audit(by, "destination.delete", destinationId);
    return true;
  }

  void subscribe(String destinationId, Collection<String> types, Audit by) {
    tx.step(Step.LOCK);
    tx.lock(new ConfigKey("destination " + destinationId));
    if (ledger.find(Set.of(destinationId)).isEmpty() || store.deleted.contains(destinationId)) {
      throw new IllegalArgumentException("no destination " + destinationId);
    }
    tx.write(new Change.Subscription(destinationId, new LinkedHashSet<>(types)));
    tx.audit(by, "destination.subscribe", destinationId);
  }

  private boolean hasTenant(String id) {
    synchronized (store) {
      return store.tenants.contains(id);
    }
  }

  private boolean hasBudget(String id) {
    synchronized (store) {
      return store.budgets.containsKey(id);
    }
  }
}
