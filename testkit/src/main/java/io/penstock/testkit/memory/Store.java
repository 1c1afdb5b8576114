package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.CompleteRun;
import io.penstock.engine.ledger.Freshness;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.memory.Change.GateRow;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.AuditSeen;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is committed, and nothing else. Everything happens under this object's monitor, which nobody
 * holds while waiting: row locks ({@link RowLocks}) are what transactions wait for.
 */
final class Store {
  final Set<String> tenants = new LinkedHashSet<>();
  final TreeMap<String, Destination> destinations = new TreeMap<>();
  final Set<String> deleted = new LinkedHashSet<>();
  final Map<String, Set<String>> subscriptions = new TreeMap<>();
  final Map<GateScope, GateRow> gates = new HashMap<>();
  final Map<String, BudgetState> budgets = new TreeMap<>();
  final Map<Change.IdempotencyKey, Change.KeyUse> keys = new HashMap<>();
  final Map<EventKey, Change.Event> events = new HashMap<>();
  final Map<DeliveryKey, DeliveryRow> hot = new LinkedHashMap<>();
  final Map<DeliveryKey, HeldJob> held = new LinkedHashMap<>();
  final Map<Item, List<Change.Ran>> runs = new HashMap<>();
  final TreeMap<String, Waiting> waiting = new TreeMap<>();
  final Map<DeliveryKey, List<DeliveryRow>> done = new LinkedHashMap<>();
  final Map<DeliveryKey, List<AttemptSeen>> attempts = new HashMap<>();
  final List<DeadLetterSeen> deadLetters = new ArrayList<>();
  final List<AuditSeen> audit = new ArrayList<>();
  final Map<String, Change.Redrive> redrives = new LinkedHashMap<>();
  final Map<String, Map<DeliveryKey, Redrives.Event>> redriveEvents = new HashMap<>();
  final TreeMap<String, Schedule> schedules = new TreeMap<>();
  final Map<String, TreeMap<Instant, Firing>> firings = new HashMap<>();
  final Map<String, Change.PermitTaken> permits = new LinkedHashMap<>();

  /** All gate and configuration changes so far. */
  long changes;

  private long lastPosition;

  /** An event in the shard that delivers it. */
  record EventKey(int shard, UUID eventId) {}

  /** What jobs of a tube are about. */
  record Item(String destinationId, String name) {}

  /** Taken outside of any transaction, as a sequence is: a rolled-back one leaves a gap. */
  synchronized long nextPosition() {
    return ++lastPosition;
  }

  synchronized void apply(List<Change> written) {
    written.forEach(this::apply);
  }

  private void apply(Change change) {
    switch (change) {
      case Change.Delivery delivery -> move(delivery.before(), delivery.after());
      case Change.Budget budget -> budgets.put(budget.budgetId(), budget.after());
      case Change.Held job -> {
        if (job.after() == null) {
          held.remove(job.key());
        } else {
          held.put(job.key(), job.after());
        }
      }
      case Change.Ran ran -> ran(ran);
      case Change.Event event ->
          events.put(new EventKey(event.shard(), event.event().eventId()), event);
      case Change.Key key -> keys.put(key.key(), key.use());
      case Change.Attempt attempt ->
          attempts
              .computeIfAbsent(attempt.row().key(), key -> new ArrayList<>())
              .add(attempt.row());
      case Change.DeadLetter letter -> deadLetters.add(letter.row());
      case Change.Audited line -> audit.add(line.row());
      case Change.Redrive redrive -> redrives.put(redrive.after().key().id(), redrive);
      case Change.RedriveEvent event ->
          redriveEvents
              .computeIfAbsent(event.redriveId(), id -> new LinkedHashMap<>())
              .put(event.row().key(), event.row());
      case Change.GateChanged gate -> {
        gates.put(gate.scope(), gate.after());
        changes++;
      }
      case Change.ScheduleKept kept -> {
        if (kept.after() == null) {
          schedules.remove(kept.id());
          firings.remove(kept.id());
        } else {
          schedules.put(kept.id(), kept.after());
        }
      }
      case Change.Fired fired ->
          firings
              .computeIfAbsent(fired.row().scheduleId(), id -> new TreeMap<>())
              .putIfAbsent(fired.row().at(), fired.row());
      case Change.PermitTaken taken -> permits.put(taken.permit().id(), taken);
      case Change.PermitEnded ended -> permits.remove(ended.permitId());
      case Change.Tenant tenant -> tenants.add(tenant.tenantId());
      case Change.NewDestination made -> {
        destinations.put(made.destination().id(), made.destination());
        changes++;
      }
      case Change.DestinationDeleted gone -> {
        deleted.add(gone.destinationId());
        GateScope its = new GateScope.OfDestination(gone.destinationId());
        gates.put(its, gate(its).next());
        subscriptions.remove(gone.destinationId());
        changes++;
      }
      case Change.Subscription subscription -> {
        subscriptions.put(subscription.destinationId(), subscription.types());
        changes++;
      }
    }
  }

  /** In the order of their ends; as many sets of artifacts as are remembered. */
  private void ran(Change.Ran ran) {
    Item item = new Item(ran.run().key().destinationId(), ran.run().item());
    List<Change.Ran> its = runs.computeIfAbsent(item, key -> new ArrayList<>());
    its.removeIf(one -> one.run().artifacts().equals(ran.run().artifacts()));
    its.add(ran);
    while (its.size() > CompleteRun.MOST_SETS) {
      its.removeFirst();
    }
  }

  /** The last run that left this item fresh; null = it is not. */
  synchronized Change.@Nullable Ran fresh(Item item, Freshness fresh, Instant now) {
    return runs.getOrDefault(item, List.of()).reversed().stream()
        .filter(ran -> ran.completedAt().isAfter(now.minus(fresh.within())))
        .filter(ran -> ran.run().artifacts().containsAll(fresh.requires()))
        .findFirst()
        .orElse(null);
  }

  private void move(@Nullable DeliveryRow before, DeliveryRow after) {
    String destination = after.key().destinationId();
    if (before != null && before.waits()) {
      Waiting waits = waiting.get(destination);
      if (waits != null) {
        waits.remove(before);
        if (waits.isEmpty()) {
          waiting.remove(destination);
        }
      }
    }
    if (!after.hot()) {
      hot.remove(after.key());
      done.computeIfAbsent(after.key(), key -> new ArrayList<>()).add(after);
      return;
    }
    hot.put(after.key(), after);
    if (after.waits()) {
      waiting.computeIfAbsent(destination, id -> new Waiting()).add(after);
    }
  }

  synchronized @Nullable DeliveryRow hot(DeliveryKey key) {
    return hot.get(key);
  }

  /**
   * Whether nothing moved this row since it was read. Identity is the row's version, as ctid is in
   * Postgres: an equal row that moved there and back is another.
   */
  @SuppressWarnings("ReferenceEquality")
  synchronized boolean isCurrent(DeliveryRow seen) {
    return hot.get(seen.key()) == seen;
  }

  /** The row as it stands: hot, or else the last finished one. */
  synchronized @Nullable DeliveryRow latest(DeliveryKey key) {
    DeliveryRow row = hot.get(key);
    List<DeliveryRow> finished = done.getOrDefault(key, List.of());
    return row != null || finished.isEmpty() ? row : finished.getLast();
  }

  synchronized GateRow gate(GateScope scope) {
    return gates.getOrDefault(scope, GateRow.OPEN);
  }

  /** The sum of the three gates in front of a destination. */
  synchronized Gate gateOf(Destination destination) {
    List<GateRow> rows =
        List.of(
            gate(new GateScope.Everything()),
            gate(new GateScope.OfTenant(destination.tenantId())),
            gate(new GateScope.OfDestination(destination.id())));
    long gateNo = 0;
    Instant reopenedAt = null;
    Gate.Closed closed = null;
    for (GateRow row : rows) {
      gateNo += row.gateNo();
      Instant at = row.reopenedAt();
      reopenedAt = reopenedAt == null || (at != null && at.isAfter(reopenedAt)) ? at : reopenedAt;
      Gate.Closed one = row.closed();
      closed = closed == null || (one != null && one.compareTo(closed) < 0) ? one : closed;
    }
    if (deleted.contains(destination.id())) {
      return new Gate(gateNo, Gate.Closed.DELETED, reopenedAt);
    }
    return new Gate(gateNo, closed, reopenedAt);
  }

  /** Who holds this job under this lease number; null = nobody. */
  synchronized @Nullable HeldJob held(DeliveryKey key, long leaseNo) {
    DeliveryRow row = hot.get(key);
    HeldJob job = held.get(key);
    return row != null
            && row.state() == DeliveryState.LEASED
            && row.leaseNo() == leaseNo
            && job != null
            && job.lease().leaseNo() == leaseNo
        ? job
        : null;
  }

  synchronized List<DeliveryRow> leasesOf(int shard) {
    return hot.values().stream()
        .filter(row -> row.state() == DeliveryState.LEASED && row.key().shard() == shard)
        .toList();
  }

  synchronized boolean isDeleted(String destinationId) {
    return deleted.contains(destinationId);
  }

  synchronized Change.@Nullable Redrive redrive(String id) {
    return redrives.get(id);
  }

  synchronized List<Change.Redrive> allRedrives() {
    return List.copyOf(redrives.values());
  }

  synchronized List<Redrives.Event> redriveEvents(String id) {
    return List.copyOf(redriveEvents.getOrDefault(id, Map.of()).values());
  }

  synchronized boolean hasRedriveEvent(String id, DeliveryKey key) {
    return redriveEvents.getOrDefault(id, Map.of()).containsKey(key);
  }
}
