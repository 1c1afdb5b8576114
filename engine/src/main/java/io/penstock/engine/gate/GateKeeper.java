package io.penstock.engine.gate;

import io.penstock.budget.BudgetState;
import io.penstock.budget.RefuseReason;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Lets the gate follow a budget that closed itself: a settle only closes the budget, which claims
 * obey at once; the gate's row, which people see, is written here in a transaction of its own. A
 * crash in between loses nothing: the next claim finds the budget closed and the gate open and
 * tells again. Each write is conditional on what it follows, so that one that comes late undoes no
 * operator. {@link #follow} may be called by many threads; {@link #runOnce} by one.
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
  private final Map<String, RefuseReason> gone = new LinkedHashMap<>();
  private final Map<String, Shelving> shelving = new LinkedHashMap<>();

  /** What is to go to the shelf, and the gate behind which it was seen. */
  private record Shelving(Reason reason, long gateNo) {}

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

  /**
   * A receiver is gone whose budget others share: the budget stays open, and the destination's own
   * gate closes, whatever that budget says. Lost in a crash: the next attempt is answered 410 too.
   * Never blocks.
   */
  public void gone(String destinationId) {
    synchronized (closed) {
      gone.put(destinationId, RefuseReason.GONE);
    }
    wake.run();
  }

  /**
   * Something waits behind a gate that will not open by itself: it goes to the shelf, as long as
   * that gate still has this number. An operator who opens it stops this.
   */
  public void shelve(String destinationId, Reason reason, long gateNo) {
    synchronized (closed) {
      shelving.put(destinationId, new Shelving(reason, gateNo));
    }
    wake.run();
  }

  /** Writes what is to be written; returns how long to rest. */
  public Duration runOnce() {
    try {
      each(closed, this::close);
      each(gone, (id, _) -> disable(id, _ -> true));
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
      } catch (RuntimeException | Error bug) {
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
    switch (reason) {
      case HELD_REJECTED, HELD_UNAUTHORISED, HELD_MISCONFIGURED -> {
        var _ = follow(destinationId, GateAction.HOLD, reason);
      }
      case GONE -> disable(destinationId, state -> state.closed() == RefuseReason.GONE);
      case AUTO_DISABLED ->
          follow(destinationId, GateAction.DISABLE, reason)
              .ifPresent(gateNo ->
                  shelveAll(destinationId, new Shelving(Reason.DESTINATION_DISABLED, gateNo)));
      case RATE_ZERO -> {} // an operator's own limit, not a closed gate
    }
  }

  private void disable(String goneId, Predicate<BudgetState> still) {
    var by = new Audit(ACTOR, RefuseReason.GONE.name().toLowerCase(Locale.ROOT));
    ledger
        .followBudget(goneId, GateAction.DISABLE, by, still)
        .ifPresent(gateNo -> shelveAll(goneId, new Shelving(Reason.GONE, gateNo)));
  }

  /** An operator who opened the budget since then wins, however late this comes. */
  private OptionalLong follow(String destinationId, GateAction action, RefuseReason reason) {
    var by = new Audit(ACTOR, reason.name().toLowerCase(Locale.ROOT));
    return ledger.followBudget(destinationId, action, by, state -> state.closed() == reason);
  }

  private void shelveAll(String destinationId, Shelving what) {
    int shard = shardOf.applyAsInt(destinationId);
    Map<String, Long> seen = Map.of(destinationId, what.gateNo());
    // One bounded transaction at a time, and none once the gate has changed.
    while (seen.equals(ledger.gateNumbers(List.of(destinationId)))) {
      if (ledger.shelve(shard, destinationId, what.reason(), MOST_SHELVED) < MOST_SHELVED) {
        return;
      }
    }
  }
}
