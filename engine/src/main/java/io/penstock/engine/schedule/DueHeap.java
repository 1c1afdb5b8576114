package io.penstock.engine.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * When each destination of one shard has something to do: hints only, all of which may be lost or
 * wrong without harm beyond a walk's time. Times are the ledger's. Safe for use by many threads.
 *
 * <p>An entry has a few due times (rows that become due) or one barrier: the time, or the event,
 * before which the budget or a gate would refuse anything, so that asking costs nothing. While a
 * barrier stands, new due times do not pull it forward.
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
  private final PriorityQueue<Turn> turns =
      new PriorityQueue<>(
          Comparator.comparingLong(Turn::atMillis).thenComparingLong(Turn::sequence));
  private final Runnable wake;

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
   */
  public synchronized List<String> poll(Instant now, int most) {
    long nowMillis = now.toEpochMilli();
    List<String> due = new ArrayList<>();
    while (due.size() < most && !turns.isEmpty() && turns.peek().atMillis() <= nowMillis) {
      Turn turn = turns.poll();
      Entry entry = entries.get(turn.destinationId());
      if (entry == null || entry.next() != turn.atMillis()) {
        continue;
      }
      due.add(turn.destinationId());
      inHand.put(turn.destinationId(), false);
      entry.barrier = null;
      entry.dropUpTo(nowMillis);
      if (entry.count == 0) {
        entries.remove(turn.destinationId());
      } else {
        place(turn.destinationId(), entry);
      }
    }
    return due;
  }

  /** What was polled has been asked and every bar is set. */
  public synchronized void done(List<String> polled) {
    polled.forEach(inHand::remove);
  }

  /** When the next turn comes; null = none is known. */
  public synchronized @Nullable Instant next() {
    while (!turns.isEmpty()) {
      Turn turn = turns.peek();
      Entry entry = entries.get(turn.destinationId());
      if (entry != null && entry.next() == turn.atMillis()) {
        return Instant.ofEpochMilli(turn.atMillis());
      }
      turns.poll();
    }
    return null;
  }

  /** Forgets everything, barriers too; a walk finds it again. */
  public synchronized void clear() {
    entries.clear();
    turns.clear();
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
    boolean first = turns.isEmpty() || at < turns.peek().atMillis();
    turns.add(new Turn(at, sequence++, destinationId));
    return first;
  }

  private static long roundUp(Instant at) {
    long millis = at.toEpochMilli();
    return Instant.ofEpochMilli(millis).isBefore(at) ? millis + 1 : millis;
  }
}
