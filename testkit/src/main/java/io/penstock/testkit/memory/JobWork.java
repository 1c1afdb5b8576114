package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.JobRules;
import io.penstock.engine.ledger.JobsEnded;
import io.penstock.engine.ledger.RenewRules;
import io.penstock.engine.ledger.Renewal;
import io.penstock.engine.ledger.Renewals;
import io.penstock.engine.ledger.SettleRules.LockedBudget;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.testkit.memory.ClaimWork.BudgetKey;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Renewals and ends of jobs, in the steps of the real ones: lock, clock, read, decide, write. */
final class JobWork {
  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;

  JobWork(MemoryLedger ledger, Transaction tx) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
  }

  Renewals renew(List<Renewal> batch, RenewRules rules) {
    List<JobRef> refs = batch.stream().map(Renewal::job).toList();
    Map<String, LockedBudget> budgets = lockBudgets(refs);
    Instant now = tx.now();
    Map<Integer, HeldJob> held = held(refs);
    List<Optional<Instant>> answers = nothing(batch.size());
    RenewRules.Charged charged = rules.charge(now, List.copyOf(held.values()), budgets);
    tx.step(Step.WRITE);
    Set<DeliveryKey> moved = new LinkedHashSet<>();
    int nth = 0;
    for (Map.Entry<Integer, HeldJob> one : held.entrySet()) {
      Instant until = now.plus(batch.get(one.getKey()).lease());
      Duration charge = charged.charged().get(nth++);
      DeliveryKey key = one.getValue().lease().key();
      tx.lock(key);
      DeliveryRow row = Objects.requireNonNull(store.hot(key));
      if (moved.add(key)) {
        DeliveryRow after = Moves.renewed(row, until);
        tx.move(row, after);
        tx.write(new Change.Held(key, renewed(one.getValue(), after, charge)));
        answers.set(one.getKey(), Optional.of(until));
      }
    }
    write(charged.states());
    return new Renewals(now, answers);
  }

  private HeldJob renewed(HeldJob job, DeliveryRow after, Duration charged) {
    return new HeldJob(
        ledger.leased(after),
        job.worker(),
        job.poolId(),
        job.heldFrom(),
        charged,
        job.lent(),
        job.generation(),
        job.probe());
  }

  JobsEnded end(List<JobRef> batch, JobRules rules) {
    lockBudgets(batch);
    Instant now = tx.now();
    IdentityHashMap<Settlement, Integer> placeOf = new IdentityHashMap<>();
    List<Settlement> settlements = new ArrayList<>();
    held(batch)
        .forEach((place, job) -> {
          Settlement settlement = rules.settlement(now, job, place);
          placeOf.put(settlement, place);
          settlements.add(settlement);
        });
    List<Optional<Settled.Applied>> answers = nothing(batch.size());
    if (settlements.isEmpty()) {
      return new JobsEnded(now, answers);
    }
    Settled settled = new SettleWork(ledger, tx, settlements, rules).run();
    for (Settled.Applied applied : settled.applied()) {
      answers.set(placeOf.getOrDefault(applied.settlement(), -1), Optional.of(applied));
      tx.write(new Change.Held(applied.settlement().lease().key(), null));
    }
    rules
        .completeRuns(settled.applied().stream().map(Settled.Applied::settlement).toList())
        .forEach(run -> tx.write(new Change.Ran(run, now)));
    return new JobsEnded(now, answers);
  }

  private static <T> List<Optional<T>> nothing(int size) {
    return new ArrayList<>(Collections.nCopies(size, Optional.empty()));
  }

  /** Those that are held under the number that was named, by their place. */
  private Map<Integer, HeldJob> held(List<JobRef> refs) {
    Map<Integer, HeldJob> held = new TreeMap<>();
    for (int i = 0; i < refs.size(); i++) {
      HeldJob job = store.held(refs.get(i).key(), refs.get(i).leaseNo());
      if (job != null) {
        held.put(i, job);
      }
    }
    return held;
  }

  private Map<String, LockedBudget> lockBudgets(List<JobRef> refs) {
    tx.step(Step.LOCK);
    Set<String> ids = new LinkedHashSet<>();
    refs.forEach(ref -> ids.add(ref.key().destinationId()));
    List<Destination> destinations = ledger.find(ids);
    Set<String> budgetIds = new TreeSet<>();
    destinations.forEach(destination -> budgetIds.add(destination.budgetId()));
    budgetIds.forEach(id -> tx.lock(new BudgetKey(id)));
    Map<String, LockedBudget> budgets = new LinkedHashMap<>();
    for (Destination destination : destinations) {
      BudgetState state = ledger.budgetUnderLock(destination.budgetId());
      budgets.put(destination.id(), new LockedBudget(destination.budgetId(), state));
    }
    return budgets;
  }

  private void write(Map<String, BudgetState> states) {
    states.forEach((id, after) -> tx.budget(id, ledger.budgetUnderLock(id), after));
  }
}
