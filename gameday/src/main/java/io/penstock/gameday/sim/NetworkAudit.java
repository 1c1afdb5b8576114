package io.penstock.gameday.sim;

import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.testkit.rows.DeliveryRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What producers were promised, what nodes sent, and what receivers took. */
final class NetworkAudit {
  /** A send starts within this of its debit: 100 ms, so of its claim's return too; clocks drift. */
  private static final long LATEST_START_NANOS = 101_000_000L;

  private final Model model;
  private final Map<String, Long> gatesReadSince = new HashMap<>();
  private final Set<DeliveryKey> promised = new HashSet<>();
  private final Set<DeliveryKey> tookIt = new HashSet<>();

  NetworkAudit(Model model) {
    this.model = model;
  }

  /** A node has read gate numbers; the reading began at this true time. */
  void gatesRead(String node, long since) {
    gatesReadSince.put(node, since);
  }

  /** A producer got a 2xx for it. */
  void promised(DeliveryKey key) {
    promised.add(key);
    if (!model.knows(key)) {
      model.broken(
          "accepted is committed", key.destinationId(), key + " was promised and is not there");
    }
  }

  void sent(String node, Leased delivery) {
    DeliveryKey key = delivery.key();
    String id = key.destinationId();
    model.story.tell(model.now(), node, id, () -> "sends " + Model.name(delivery));
    Leases.Lease lease = model.leases.find(key, delivery.leaseNo());
    if (lease == null || !lease.node.equals(node)) {
      model.broken(
          "no send without a debit",
          id,
          node + " sent " + Model.name(delivery) + " without its lease");
      return;
    }
    if (lease.sent) {
      model.broken("one send per lease", id, node + " sent " + Model.name(delivery) + " twice");
    }
    lease.sent = true;
    long returned = model.returnedAt.getOrDefault(lease.transaction, model.now());
    if (model.now() - returned > LATEST_START_NANOS) {
      model.broken(
          "a send starts within 100 ms of its debit, or is handed back",
          id,
          "%s sent %s %d ms after its claim came back"
              .formatted(node, Model.name(delivery), (model.now() - returned) / 1_000_000));
    }
    long closed = model.gates.closedSince(delivery.tenantId(), id);
    long read = gatesReadSince.getOrDefault(node, Long.MIN_VALUE);
    if (closed < read && returned < read) {
      model.broken(
          "a closed gate is silent",
          id,
          "%s sent %s although it had read the gates after that was closed at %.4f s"
              .formatted(node, Model.name(delivery), closed / 1e9));
    }
  }

  /** A receiver took the request and will answer so. */
  void arrived(Leased delivery, Outcome outcome) {
    if (outcome instanceof Outcome.Delivered) {
      tookIt.add(delivery.key());
    }
  }

  void completed(Leased delivery, Outcome outcome) {
    model.story.tell(
        model.now(),
        model.plan.tubes().has(delivery.key().destinationId()) ? "worker" : "receiver",
        delivery.key().destinationId(),
        () -> "answers " + Model.name(delivery) + ": " + outcome);
    Leases.Lease lease = model.leases.find(delivery.key(), delivery.leaseNo());
    if (lease != null) {
      lease.outcome = outcome;
    }
  }

  /** What was promised must be there, and what counts as delivered must have arrived. */
  void finish() {
    for (DeliveryKey key : promised) {
      if (!model.knows(key)) {
        model.broken("nothing accepted is lost", key.destinationId(), key + " is gone");
      }
    }
    model.finished.forEach((key, row) -> {
      if (row.state() == DeliveryState.DELIVERED && !tookIt.contains(key)) {
        model.broken(
            "delivered has arrived", key.destinationId(), Model.name(row) + " never arrived");
      }
    });
  }

  /** A node ended gracefully and says that it left nothing in flight. */
  void stoppedClean(String node) {
    for (DeliveryRow row : model.rows.values()) {
      Leases.Lease lease = model.leaseOf(row);
      boolean job = model.plan.tubes().has(row.key().destinationId());
      boolean left = !job && row.state() == DeliveryState.LEASED && node.equals(row.leasedBy());
      if (left && lease != null && lease.sent) {
        model.broken(
            "a stop leaves nothing sent and unsettled", row.key().destinationId(), Model.name(row));
      }
    }
  }
}
