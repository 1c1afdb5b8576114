package io.penstock.engine.gate;

import io.penstock.budget.BudgetState;
import io.penstock.budget.RefuseReason;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets the gate follow a budget that closed itself: a settle only closes the budget, which claims
 * obey at once; the gate's row, which people see, is written here in a transaction of its own. A
 * crash in between loses nothing: the next claim finds the budget closed and the gate open and
 * tells again. {@link #follow} may be called by many threads; {@link #runOnce} by one.
 */
public final class GateKeeper {
  /** Deliveries moved to the shelf per transaction. */
  static final int MOST_SHELVED = 500;

  /** Longest sleep; a closed budget ends it. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(5);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofSeconds(1);

  private static final String ACTOR = "penstock";

  private final Ledger ledger;
  private final ToIntFunction<String> shardOf;
  private final Runnable wake;
  private final NodeListener listener;
  private final Map<String, RefuseReason> closed = new LinkedHashMap<>();

  /**
   * Nothing to follow yet.
   *
   * @param shardOf the shard of a destination
   * @param wake wakes the loop that calls {@link #runOnce}
   */
  public GateKeeper(
      Ledger ledger, ToIntFunction<String> shardOf, Runnable wake, NodeListener listener) {
    this.ledger = ledger;
    this.shardOf = shardOf;
    this.wake = wake;
    this.listener = listener;
  }

  /** A destination's budget has closed itself behind an open gate. Never blocks. */
  public void follow(String destinationId, RefuseReason reason) {
    synchronized (closed) {
      closed.put(destinationId, reason);
    }
    wake.run();
  }

  /** Writes what is to be written; returns how long to rest. */
  public Duration runOnce() {
    Map<String, RefuseReason> todo;
    synchronized (closed) {
      todo = new LinkedHashMap<>(closed);
    }
    for (Map.Entry<String, RefuseReason> one : todo.entrySet()) {
      try {
        close(one.getKey(), one.getValue());
      } catch (LedgerException failure) {
        listener.ledgerFailed("gatekeeper", failure);
        return LEDGER_BACK_OFF;
      }
      synchronized (closed) {
        closed.remove(one.getKey(), one.getValue());
      }
    }
    return LONGEST_NAP;
  }

  private void close(String destinationId, RefuseReason reason) {
    var scope = new GateScope.OfDestination(destinationId);
    var by = new Audit(ACTOR, reason.name().toLowerCase(Locale.ROOT));
    switch (reason) {
      case HELD_REJECTED, HELD_UNAUTHORISED, HELD_MISCONFIGURED ->
          ledger.changeGate(scope, GateAction.HOLD, by, GateKeeper::unchanged);
      case GONE -> {
        ledger.changeGate(scope, GateAction.DISABLE, by, GateKeeper::unchanged);
        int shard = shardOf.applyAsInt(destinationId);
        while (ledger.shelve(shard, destinationId, Reason.GONE, MOST_SHELVED) == MOST_SHELVED) {
          // More of them wait: one bounded transaction at a time.
        }
      }
      case RATE_ZERO -> {} // an operator's own limit, not a closed gate
    }
  }

  private static BudgetState unchanged(String budgetId, @Nullable BudgetState state, Instant now) {
    throw new IllegalStateException("closing a gate opened budget " + budgetId);
  }
}
