package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.testkit.rows.DeliveryRow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the auditor knows of the world, kept from the journal and the network alone. */
final class Model {
  final Baton baton;
  final Story story;
  final Map<String, DestinationLimits> limits;
  final Plan plan;
  final GateModel gates = new GateModel();
  final Leases leases = new Leases();
  final Map<DeliveryKey, DeliveryRow> rows = new LinkedHashMap<>();
  final Map<DeliveryKey, DeliveryRow> finished = new LinkedHashMap<>();
  final Map<String, BudgetState> budgets = new HashMap<>();
  final Map<String, Long> budgetWrittenAt = new HashMap<>();
  final Map<Long, Long> beganAt = new HashMap<>();

  final Map<Long, Long> returnedAt = new HashMap<>();
  private final Map<DeliveryKey, Long> waitsSince = new HashMap<>();
  private final Map<String, Map<DeliveryKey, DeliveryRow>> hot = new TreeMap<>();
  private final Map<String, RateModel> rates = new HashMap<>();
  private @Nullable BrokenPromise found;

  Model(Baton baton, Story story, Map<String, DestinationLimits> limits, Plan plan) {
    this.plan = plan;
    this.baton = baton;
    this.story = story;
    this.limits = limits;
  }

  long now() {
    return baton.now();
  }

  /** The first broken promise. */
  @Nullable BrokenPromise found() {
    return found;
  }

  void broken(String promise, String about, String how) {
    if (found == null) {
      found = new BrokenPromise(promise, about, how);
      story.tell(now(), "AUDITOR", about, () -> promise + ": " + how);
      story.end();
    }
  }

  void keep(DeliveryRow row) {
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
      waitsSince.put(key, now());
    }
  }

  boolean knows(DeliveryKey key) {
    return rows.containsKey(key) || finished.containsKey(key);
  }

  /** Since when, by the true time, a row waits. */
  long waitsSince(DeliveryRow row) {
    return waitsSince.getOrDefault(row.key(), Long.MAX_VALUE);
  }

  Map<DeliveryKey, DeliveryRow> hotOf(String id) {
    return hot.getOrDefault(id, Map.of());
  }

  /** What is leased of a destination now. */
  Stream<DeliveryRow> leased(String id) {
    return hotOf(id).values().stream().filter(row -> row.state() == DeliveryState.LEASED);
  }

  /** What is leased now of all destinations that share a budget. */
  Stream<DeliveryRow> leasedOfBudget(String budgetId) {
    return plan.sharing(budgetId).stream().flatMap(this::leased);
  }

  Leases.@Nullable Lease leaseOf(DeliveryRow row) {
    return leases.find(row.key(), row.leaseNo());
  }

  void limitsAre(String id, DestinationLimits its) {
    limits.put(id, its);
    rates
        .computeIfAbsent(plan.budgetOf(id), one -> new RateModel())
        .settingsAre(its.budget(), now());
  }

  /** Of a destination's budget. */
  RateModel rate(String id) {
    return Objects.requireNonNull(rates.get(plan.budgetOf(id)));
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

  static String name(Leased delivery) {
    return "%s/%s lease %d"
        .formatted(delivery.key().destinationId(), nth(delivery.key()), delivery.leaseNo());
  }

  private static String nth(DeliveryKey key) {
    return "#" + (key.eventId().getLeastSignificantBits() & 0xffff);
  }
}
