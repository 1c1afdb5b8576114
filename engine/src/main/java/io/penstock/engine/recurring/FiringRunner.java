package io.penstock.engine.recurring;

import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.recurring.Schedules.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Fires the schedules of a ledger on one node; any number of nodes may do so. All that is
 * remembered here is what the ledger could not take. After a jump of the ledger's clock nothing
 * comes until the clock is trusted again: a clock that is a day ahead for a minute must not use up
 * a day's instants. {@link #runOnce} for one thread.
 */
public final class FiringRunner {
  /** Longest sleep: what another node made or resumed is late by this at most. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(1);

  static final Duration SHORTEST_NAP = Duration.ofMillis(5);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofSeconds(1);

  /** Transactions on one shard in a row, so that the others have their turn. */
  private static final int MOST_IN_A_ROW = 10;

  /** What is left of a turn's schedules after the ledger could not answer. */
  private static final int SMALLER = 8;

  /**
   * A schedule at which the ledger does not answer is passed by for so long, and for twice as long
   * each time it comes to that again: it is late, and nobody else's is.
   */
  static final Duration FIRST_PASS = Duration.ofMinutes(1);

  static final Duration LONGEST_PASS = Duration.ofHours(1);

  /** Schedules that are passed by; beyond so many all are tried again. */
  private static final int MOST_PASSED = 1_000;

  /** How long one is passed by. */
  private record Pass(Instant until, Duration length) {}

  private final Map<String, Pass> passed = new HashMap<>();
  private final Map<Integer, Integer> most = new HashMap<>();
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
          left = fire(next.getKey(), look.now());
        }
        nap = left.compareTo(nap) < 0 ? left : nap;
      }
      return nap.isZero() || nap.compareTo(SHORTEST_NAP) > 0 ? nap : SHORTEST_NAP;
    } catch (LedgerException failure) {
      trouble.ledgerFailed("schedules", failure);
      return LEDGER_BACK_OFF;
    }
  }

  /** Fires what is due in a shard; how long to rest. */
  private Duration fire(int shard, Instant now) {
    Set<String> without = passedAt(now);
    List<FiringPlan.Done> fired = fire(shard, without, now);
    if (fired.isEmpty()) {
      // Somebody else is at it, or all that is due is passed by.
      return without.isEmpty() ? SHORTEST_NAP : LONGEST_NAP;
    }
    for (int i = 1; !fired.isEmpty() && i <= MOST_IN_A_ROW; i++) {
      fired.forEach(listener::looked);
      fired.forEach(one -> passed.remove(one.schedule().id()));
      wake(fired);
      boolean full = fired.size() == FiringPlan.MOST_SCHEDULES && i < MOST_IN_A_ROW;
      fired = full ? fire(shard, without, now) : List.of();
    }
    return Duration.ZERO;
  }

  private List<FiringPlan.Done> fire(int shard, Set<String> without, Instant now) {
    Turn turn = new Turn(shard, most.getOrDefault(shard, FiringPlan.MOST_SCHEDULES), without);
    try {
      List<FiringPlan.Done> fired = schedules.fire(turn, ids, room);
      most.put(shard, Math.min(FiringPlan.MOST_SCHEDULES, turn.most() * 2));
      return fired;
    } catch (LedgerException failure) {
      // What fails by its size goes in smaller pieces; in the end the schedule itself is found.
      most.put(shard, Math.max(1, turn.most() / SMALLER));
      if (turn.most() == 1) {
        // Were the ledger itself in trouble, this would fail too.
        schedules.due(turn).forEach(id -> pass(id, now));
      }
      throw failure;
    }
  }

  private void pass(String id, Instant now) {
    if (passed.size() >= MOST_PASSED) {
      passed.clear();
    }
    Pass before = passed.get(id);
    Duration wait = before == null ? FIRST_PASS : before.length().multipliedBy(2);
    wait = wait.compareTo(LONGEST_PASS) > 0 ? LONGEST_PASS : wait;
    passed.put(id, new Pass(now.plus(wait), wait));
  }

  private Set<String> passedAt(Instant now) {
    return passed.entrySet().stream()
        .filter(one -> one.getValue().until().isAfter(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
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
