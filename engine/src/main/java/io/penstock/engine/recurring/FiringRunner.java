package io.penstock.engine.recurring;

import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Fires the schedules of a ledger on one node; any number of nodes may do so. Nothing is remembered
 * here. After a jump of the ledger's clock nothing comes until the clock is trusted again: a clock
 * that is a day ahead for a minute must not use up a day's instants. {@link #runOnce} for one
 * thread.
 */
public final class FiringRunner {
  /** Longest sleep: what another node made or resumed is late by this at most. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(1);

  static final Duration SHORTEST_NAP = Duration.ofMillis(5);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofSeconds(1);

  /** Transactions on one shard in a row, so that the others have their turn. */
  private static final int MOST_IN_A_ROW = 10;

  private final Schedules schedules;
  private final LedgerTime time;
  private final Supplier<UUID> ids;
  private final Room room;
  private final Consumer<Collection<String>> due;
  private final FiringListener listener;
  private final NodeListener trouble;

  /**
   * @param due wakes the claimers for these destinations; must not block
   */
  public FiringRunner(
      Schedules schedules,
      LedgerTime time,
      Supplier<UUID> ids,
      Room room,
      Consumer<Collection<String>> due,
      FiringListener listener,
      NodeListener trouble) {
    this.schedules = schedules;
    this.time = time;
    this.ids = ids;
    this.room = room;
    this.due = due;
    this.listener = listener;
    this.trouble = trouble;
  }

  /** Fires what is due; returns how long to rest. */
  public Duration runOnce() {
    try {
      Schedules.Look look = schedules.look();
      time.observe(look.now());
      if (!time.trusted()) {
        return LONGEST_NAP;
      }
      Duration nap = LONGEST_NAP;
      for (Map.Entry<Integer, Instant> next : look.next().entrySet()) {
        Duration left = Duration.between(look.now(), next.getValue());
        if (!left.isPositive()) {
          left = fire(next.getKey()) ? Duration.ZERO : SHORTEST_NAP;
        }
        nap = left.compareTo(nap) < 0 ? left : nap;
      }
      return nap.isZero() || nap.compareTo(SHORTEST_NAP) > 0 ? nap : SHORTEST_NAP;
    } catch (LedgerException failure) {
      trouble.ledgerFailed("schedules", failure);
      return LEDGER_BACK_OFF;
    }
  }

  /** Whether there was anything to do that nobody else was at. */
  private boolean fire(int shard) {
    List<FiringPlan.Done> fired = schedules.fire(shard, ids, room);
    boolean any = !fired.isEmpty();
    for (int i = 1; !fired.isEmpty() && i <= MOST_IN_A_ROW; i++) {
      fired.forEach(listener::looked);
      wake(fired);
      boolean full = fired.size() == FiringPlan.MOST_SCHEDULES && i < MOST_IN_A_ROW;
      fired = full ? schedules.fire(shard, ids, room) : List.of();
    }
    return any;
  }

  private void wake(List<FiringPlan.Done> fired) {
    Set<String> waiting = new LinkedHashSet<>();
    for (FiringPlan.Done one : fired) {
      for (Acceptance answer : one.answers()) {
        if (answer instanceof Acceptance.Stored stored) {
          stored.deliveries().stream()
              .filter(fanned -> fanned.state() == DeliveryState.PENDING)
              .forEach(fanned -> waiting.add(fanned.destinationId()));
        }
      }
    }
    if (!waiting.isEmpty()) {
      due.accept(waiting);
    }
  }
}
