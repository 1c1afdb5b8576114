package io.penstock.gameday.sim;

import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.DeliveryKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the auditor knows of every lease that was ever granted, and of what was sent under it. */
final class Leases {
  private final Map<Id, Lease> all = new LinkedHashMap<>();

  /** Names a lease. */
  record Id(DeliveryKey key, long leaseNo) {}

  /** One lease. */
  static final class Lease {
    final String node;
    final long transaction;
    final long generation;
    final boolean probe;
    boolean sent;
    boolean arrived;
    @Nullable Outcome outcome;

    Lease(String node, long transaction, long generation, boolean probe) {
      this.node = node;
      this.transaction = transaction;
      this.generation = generation;
      this.probe = probe;
    }
  }

  void granted(Id id, Lease lease) {
    all.put(id, lease);
  }

  @Nullable Lease find(DeliveryKey key, long leaseNo) {
    return all.get(new Id(key, leaseNo));
  }
}
