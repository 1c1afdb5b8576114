package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.AuditSeen;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import io.penstock.testkit.rows.Inspection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at what a {@link MemoryLedger} has committed, without locks and without interleaving. */
public final class MemoryInspection implements Inspection {
  private final Store store;

  MemoryInspection(Store store) {
    this.store = store;
  }

  @Override
  public Optional<DeliveryRow> delivery(DeliveryKey key) {
    return Optional.ofNullable(store.latest(key));
  }

  @Override
  public List<AttemptSeen> attempts(DeliveryKey key) {
    synchronized (store) {
      return List.copyOf(store.attempts.getOrDefault(key, List.of()));
    }
  }

  @Override
  public List<DeadLetterSeen> deadLetters(String destinationId) {
    synchronized (store) {
      return store.deadLetters.stream()
          .filter(letter -> letter.key().destinationId().equals(destinationId))
          .toList();
    }
  }

  @Override
  public BudgetState budget(String budgetId) {
    synchronized (store) {
      BudgetState state = store.budgets.get(budgetId);
      if (state == null) {
        throw new IllegalArgumentException("no budget " + budgetId);
      }
      return state;
    }
  }

  @Override
  public List<AuditSeen> audit() {
    synchronized (store) {
      return List.copyOf(store.audit);
    }
  }

  /** Every row of the hot table. */
  public List<DeliveryRow> hot() {
    synchronized (store) {
      return List.copyOf(store.hot.values());
    }
  }

  /** Every finished row, those that were redriven later included. */
  public List<DeliveryRow> finished() {
    synchronized (store) {
      List<DeliveryRow> all = new ArrayList<>();
      store.done.values().forEach(all::addAll);
      return all;
    }
  }
}
