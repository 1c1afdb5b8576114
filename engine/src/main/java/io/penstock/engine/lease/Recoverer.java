package io.penstock.engine.lease;

import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.send.Sender;
import io.penstock.engine.settle.Settler;
import java.time.Duration;
import java.util.List;

/**
 * Ends leases that ran out: their worker died, or its outcome never reached the ledger. What was
 * sent may have arrived, so the outcome is unknown. A settle that comes first wins, by the lease
 * number. One thread.
 */
public final class Recoverer {
  /** Lost leases per step: a settle's batch. */
  static final int MOST = 500;

  /** Time between looks: a lost lease is back within its end plus this. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  /** What a lost lease carries: no generation is current, so it frees its slot and cuts nothing. */
  private static final long NO_GENERATION = -1;

  private final int shard;
  private final Ledger ledger;
  private final Settler settler;
  private final LedgerTime time;
  private final String node;
  private final NodeListener listener;

  public Recoverer(
      int shard,
      Ledger ledger,
      Settler settler,
      LedgerTime time,
      String node,
      NodeListener listener) {
    this.shard = shard;
    this.ledger = ledger;
    this.settler = settler;
    this.time = time;
    this.node = node;
    this.listener = listener;
  }

  /** Recovers a batch; returns how long to rest. */
  public Duration runOnce() {
    List<Leased> lost;
    try {
      // An idle node may be the first to see a jump: look at the clock before believing it.
      time.observe(ledger.now());
      if (!time.trusted()) {
        return INTERVAL;
      }
      lost = ledger.expiredLeases(shard, MOST);
    } catch (LedgerException failure) {
      listener.ledgerFailed("recover", failure);
      return INTERVAL;
    }
    if (lost.isEmpty()) {
      return INTERVAL;
    }
    listener.leasesLost(lost.size());
    boolean booked = settler.book(lost.stream().map(this::settlement).toList());
    return booked && lost.size() == MOST ? Duration.ZERO : INTERVAL;
  }

  private Settlement settlement(Leased lost) {
    Stamp stamp =
        new Stamp(NO_GENERATION, false, lost.lane() == Lane.RETRY, lost.urgency() == Urgency.BATCH);
    var outcome = new Outcome.Unknown(0, Outcome.Unknown.LEASE_LOST);
    return new Settlement(
        lost,
        new Feedback.LeaseLost(stamp),
        new Settlement.AttemptRow(
            lost.leaseUntil(),
            0,
            Sender.classOf(outcome),
            outcome.detail(),
            outcome.status(),
            new byte[0],
            null,
            node),
        null);
  }
}
