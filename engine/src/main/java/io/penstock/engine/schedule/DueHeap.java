package io.penstock.engine.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When each destination of one shard has something to do: hints only, all of which may be lost or
 * wrong without harm beyond a walk's time. Times are the ledger's. Safe for use by many threads.
 *
 * <p>An entry has a few due times (rows that become due) or one barrier: the time, or the event,
 * before which the budget or a gate would refuse anything, so that asking costs nothing. While a
 * barrier stands, new due times do not pull it forward.
 *
 * <p>A destination that has something in flight, as far as this node knows, is <em>busy</em>. While
 * the node has room only for the others, the busy ones are not polled, so that a full node does not
 * ask them in vain.
 */
public final class DueHeap {
  /**
   * Due times kept per destination. Beyond it the earliest stay and the walk finds the rest when
   * they are due.
   */
  static final int MOST_TIMES = 64;

  /** Later due times are rounded up to this, so that many retries of one moment are one time. */
  static final long TICK_MILLIS = 10;

  private final Map<String, Entry> entries = new HashMap<>();
  private static final Comparator<Turn> IN_ORDER =
      Comparator.comparingLong(Turn::atMillis).thenComparingLong(Turn::sequence);

  private final PriorityQueue<Turn> turns = new PriorityQueue<>(IN_ORDER);
  private final PriorityQueue<Turn> busyTurns = new PriorityQueue<>(IN_ORDER);
  private final Runnable wake;

  /** Destinations that spend from a budget of another id, as far as claims came across them. */
  private final Map<String, Set<String>> sharing = new HashMap<>();

  /** Polled and not yet {@link #done}; true = an event that lifts barriers came meanwhile. */
  private final Map<String, Boolean> inHand = new HashMap<>();

  private long sequence;

  /** Why nothing is asked before a barrier's time, and so which event lifts it earlier. */
  public enum Barrier {
    /** Tokens or a quota: only time lifts it. */
    TIME,
    /** Slots, a pin or a parked budget: an outcome may lift it. */
    OUTCOME,
    /** Refused until somebody acts: only a change of a gate or a limit lifts it. */
    GATE
  }

  /** A place in the order; outdated when its entry says another time. */
  private record Turn(long atMillis, long sequence, String destinationId) {}

  private static final class Entry {
    final long[] times = new long[MOST_TIMES];
    int count;
    @Nullable Barrier barrier;
    long barrierAt;
    boolean busy;

    /** When it is to be asked next; Long.MAX_VALUE = not before an event. */
    long next() {
      if (barrier != null) {
        return barrierAt;
      }
      return count == 0 ? Long.MAX_VALUE : times[0];
    }

    void add(long at) {
      int i = 0;
      while (i < count && times[i] < at) {
        i++;
      }
      if (i == MOST_TIMES || (i < count && times[i] == at)) {
        return;
      }
      int moved = Math.min(count, MOST_TIMES - 1) - i;
      System.arraycopy(times, i, times, i + 1, moved);
      times[i] = at;
      count = Math.min(count + 1, MOST_TIMES);
    }

    void dropUpTo(long now) {
      int gone = 0;
      while (gone < count && times[gone] <= now) {
        gone++;
      }
      System.arraycopy(times, gone, times, 0, count - gone);
      count -= gone;
    }
  }

  /**
   * An empty heap.
   *
   * @param wake called, outside any lock, when an earlier turn than all before may have come up
   */
  public DueHeap(Runnable wake) {
    this.wake = wake;
  }

  /** A row of this destination is due now. Does not lift a barrier. */
  public void dueNow(String destinationId, Instant now) {
    add(destinationId, now.toEpochMilli());
  }

  /** A row of this destination becomes due. Does not lift a barrier. */
  public void due(String destinationId, Instant at) {
    add(destinationId, Math.ceilDiv(roundUp(at), TICK_MILLIS) * TICK_MILLIS);
  }

  private void add(String destinationId, long atMillis) {
    boolean earlier;
    synchronized (this) {
      Entry entry = entries.computeIfAbsent(destinationId, _ -> new Entry());
      long before = entry.next();
      entry.add(atMillis);
      earlier = entry.next() < before && place(destinationId, entry);
    }
    if (earlier) {
      wake.run();
    }
  }

  /** The walk found a waiting row: news only when no barrier and no earlier time is known. */
  public void found(String destinationId, Instant at) {
    synchronized (this) {
      Entry entry = entries.get(destinationId);
      if (entry != null) {
        setBusy(destinationId, entry, false); // what another node booked was not told here
      }
      if (entry != null && (entry.barrier != null || entry.next() <= roundUp(at))) {
        return;
      }
    }
    add(destinationId, roundUp(at));
  }

  /**
   * Nothing may go before {@code until}, or before the barrier's event. Replaces a barrier. If such
   * an event came while the destination was in hand, what was decided is old: it is due again.
   */
  public synchronized void bar(String destinationId, Barrier barrier, Instant until, Instant now) {
    Entry entry = entries.computeIfAbsent(destinationId, _ -> new Entry());
    if (barrier != Barrier.TIME && inHand.getOrDefault(destinationId, false)) {
      entry.add(now.toEpochMilli());
      place(destinationId, entry);
      return;
    }
    entry.barrier = barrier;
    entry.barrierAt = barrier == Barrier.GATE ? Long.MAX_VALUE : roundUp(until);
    place(destinationId, entry);
  }

  /** An outcome of this destination was booked. */
  public void outcome(String destinationId, Instant now) {
    lift(destinationId, Barrier.OUTCOME, now);
  }

  /** It has something in flight. */
  public synchronized void busy(String destinationId) {
    Entry entry = entries.get(destinationId);
    if (entry != null) {
      setBusy(destinationId, entry, true);
    }
  }

  /** It has nothing in flight any more. */
  public void idle(String destinationId) {
    boolean first;
    synchronized (this) {
      Entry entry = entries.get(destinationId);
      first = entry != null && setBusy(destinationId, entry, false);
    }
    if (first) {
      wake.run();
    }
  }

  /** True when it has become the first in the queue that it is in now. */
  private boolean setBusy(String destinationId, Entry entry, boolean busy) {
    boolean changed = entry.busy != busy;
    entry.busy = busy;
    return changed && place(destinationId, entry);
  }

  /** It spends from another's budget: an outcome of one that does is news for all of them. */
  public synchronized void shares(String destinationId, String budgetId) {
    sharing.computeIfAbsent(budgetId, _ -> new LinkedHashSet<>()).add(destinationId);
  }

  /** An outcome was booked on a budget. */
  public void outcomeOfBudget(String budgetId, Instant now) {
    List<String> all = new ArrayList<>();
    all.add(budgetId); // by default a budget has the id of its destination
    synchronized (this) {
      all.addAll(sharing.getOrDefault(budgetId, Set.of()));
    }
    all.forEach(id -> outcome(id, now));
  }

  /** A lease came back unsent, and with it what it had cost: any barrier may have fallen. */
  public void handedBack(String destinationId, Instant now) {
    lift(destinationId, null, now);
  }

  /** Gates or limits changed: whatever they might have barred is asked again. */
  public void gatesChanged(Instant now) {
    List<String> barred;
    synchronized (this) {
      barred = new ArrayList<>();
      inHand.replaceAll((_, _) -> true);
      entries.forEach((id, entry) -> {
        if (entry.barrier != null) {
          barred.add(id);
        }
      });
    }
    for (String id : barred) {
      lift(id, null, now);
    }
  }

  private void lift(String destinationId, @Nullable Barrier only, Instant now) {
    synchronized (this) {
      inHand.computeIfPresent(destinationId, (_, _) -> true);
      Entry entry = entries.get(destinationId);
      if (entry == null || entry.barrier == null || (only != null && entry.barrier != only)) {
        return;
      }
      entry.barrier = null;
      // What the barrier hid is unknown: ask once.
      entry.add(now.toEpochMilli());
      place(destinationId, entry);
    }
    wake.run();
  }

  /**
   * Takes the destinations whose turn has come, longest waiting first, at most {@code most}. Their
   * due times up to now and their barriers are gone: the caller says what comes next, and then that
   * it is {@link #done}.
   *
   * @param anyone how many of them may be busy; the others take the rest first
   */
  public synchronized List<String> poll(Instant now, int most, int anyone) {
    long nowMillis = now.toEpochMilli();
    int kept = most - anyone;
    int left = anyone;
    List<String> due = new ArrayList<>();
    while (due.size() < most) {
      Turn turn = first(left > 0);
      if (turn == null || turn.atMillis() > nowMillis) {
        break;
      }
      boolean busy = take(turn, nowMillis);
      if (!busy && kept > 0) {
        kept--;
      } else {
        left--;
      }
      due.add(turn.destinationId());
    }
    return due;
  }

  /** Whether it was busy. */
  private boolean take(Turn turn, long nowMillis) {
    String id = turn.destinationId();
    Entry entry = Objects.requireNonNull(entries.get(id));
    (entry.busy ? busyTurns : turns).poll();
    inHand.put(id, false);
    entry.barrier = null;
    entry.dropUpTo(nowMillis);
    if (entry.count == 0) {
      entries.remove(id);
    } else {
      place(id, entry);
    }
    return entry.busy;
  }

  /** The first turn that stands; of those that are not busy unless {@code busyToo}. */
  private @Nullable Turn first(boolean busyToo) {
    Turn idle = first(turns, false);
    Turn busy = busyToo ? first(busyTurns, true) : null;
    if (idle == null || busy == null) {
      return idle == null ? busy : idle;
    }
    return IN_ORDER.compare(idle, busy) <= 0 ? idle : busy;
  }

  private @Nullable Turn first(PriorityQueue<Turn> queue, boolean busy) {
    while (!queue.isEmpty()) {
      Turn turn = queue.peek();
      Entry entry = entries.get(turn.destinationId());
      if (entry != null && entry.busy == busy && entry.next() == turn.atMillis()) {
        return turn;
      }
      queue.poll();
    }
    return null;
  }

  /** What was polled has been asked and every bar is set. */
  public synchronized void done(List<String> polled) {
    polled.forEach(inHand::remove);
  }

  /** When the next turn comes, of those that are not busy unless {@code busyToo}; null = never. */
  public synchronized @Nullable Instant next(boolean busyToo) {
    Turn turn = first(busyToo);
    return turn == null ? null : Instant.ofEpochMilli(turn.atMillis());
  }

  /** Forgets everything, barriers too; a walk finds it again. */
  public synchronized void clear() {
    entries.clear();
    turns.clear();
    busyTurns.clear();
  }

  /** Destinations known to have something to do, now or later. */
  public synchronized int size() {
    return entries.size();
  }

  private boolean place(String destinationId, Entry entry) {
    long at = entry.next();
    if (at == Long.MAX_VALUE) {
      return false;
    }
    PriorityQueue<Turn> queue = entry.busy ? busyTurns : turns;
    boolean first = queue.isEmpty() || at < queue.peek().atMillis();
    queue.add(new Turn(at, sequence++, destinationId));
    return first;
  }

  private static long roundUp(Instant at) {
    long millis = at.toEpochMilli();
    return Instant.ofEpochMilli(millis).isBefore(at) ? millis + 1 : millis;
  }
}
