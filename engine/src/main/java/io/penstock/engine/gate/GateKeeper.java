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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
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
  private final Map<String, Reason> shelving = new LinkedHashMap<>();

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

  /** Something waits behind a gate that will not open by itself: it goes to the shelf. */
  public void shelve(String destinationId, Reason reason) {
    synchronized (closed) {
      shelving.put(destinationId, reason);
    }
    wake.run();
  }

  /** Writes what is to be written; returns how long to rest. */
  public Duration runOnce() {
    try {
      each(closed, this::close);
      each(shelving, this::shelveAll);
      return LONGEST_NAP;
    } catch (LedgerException failure) {
      listener.ledgerFailed("gatekeeper", failure);
      return LEDGER_BACK_OFF;
    }
  }

  /** What the ledger did not answer stays; what fails by a bug goes, so that it blocks nothing. */
  private <V> void each(Map<String, V> todo, BiConsumer<String, V> work) {
    for (Map.Entry<String, V> one : copyOf(todo).entrySet()) {
      try {
        work.accept(one.getKey(), one.getValue());
        forget(todo, one);
      } catch (LedgerException failure) {
        throw failure;
      } catch (RuntimeException bug) {
        forget(todo, one);
        throw bug;
      }
    }
  }

  private <V> Map<String, V> copyOf(Map<String, V> todo) {
    synchronized (closed) {
      return new LinkedHashMap<>(todo);
    }
  }

  private <V> void forget(Map<String, V> todo, Map.Entry<String, V> done) {
    synchronized (closed) {
      todo.remove(done.getKey(), done.getValue());
    }
  }

  private void close(String destinationId, RefuseReason reason) {
    var scope = new GateScope.OfDestination(destinationId);
    var by = new Audit(ACTOR, reason.name().toLowerCase(Locale.ROOT));
    switch (reason) {
      case HELD_REJECTED, HELD_UNAUTHORISED, HELD_MISCONFIGURED ->
          ledger.changeGate(scope, GateAction.HOLD, by, GateKeeper::unchanged);
      case GONE -> {
        ledger.changeGate(scope, GateAction.DISABLE, by, GateKeeper::unchanged);
        shelveAll(destinationId, Reason.GONE);
      }
      case AUTO_DISABLED -> {
        ledger.changeGate(scope, GateAction.DISABLE, by, GateKeeper::unchanged);
        shelveAll(destinationId, Reason.DESTINATION_DISABLED);
      }
      case RATE_ZERO -> {} // an operator's own limit, not a closed gate
    }
  }

  private void shelveAll(String destinationId, Reason reason) {
    int shard = shardOf.applyAsInt(destinationId);
    Map<String, Long> gate = ledger.gateNumbers(List.of(destinationId));
    int shelved;
    do { // one bounded transaction at a time, and none once the gate has changed
      shelved = ledger.shelve(shard, destinationId, reason, MOST_SHELVED);
    } while (shelved == MOST_SHELVED && gate.equals(ledger.gateNumbers(List.of(destinationId))));
  }

  private static BudgetState unchanged(String budgetId, @Nullable BudgetState state, Instant now) {
    throw new IllegalStateException("closing a gate opened budget " + budgetId);
  }
}
