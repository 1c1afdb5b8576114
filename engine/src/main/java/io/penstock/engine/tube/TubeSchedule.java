package io.penstock.engine.tube;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When each tube is worth asking for: hints only, as the heap of destinations that are pushed to. A
 * tube that nobody has asked for yet is worth asking at once. Times are the ledger's. Safe for use
 * by many threads.
 */
final class TubeSchedule {
  /** Due times kept per tube; the walk finds the rest when they are due. */
  private static final int MOST_TIMES = 64;

  private final Map<String, Entry> entries = new HashMap<>();

  /** Why a tube is not asked although something waits, and so what lifts it earlier than time. */
  enum Barrier {
    /** A lease that ends may change it. */
    OUTCOME,
    /** Only a change of a gate or a limit. */
    GATE
  }

  private static final class Entry {
    final TreeSet<Instant> due = new TreeSet<>();
    @Nullable Barrier barrier;
    Instant barredUntil = Instant.MIN;
    long news;
    long lifts;

    /** Of a tube that nobody has asked for: what waits there is not known. */
    static Entry unknown() {
      Entry entry = new Entry();
      entry.due.add(Instant.MIN);
      return entry;
    }

    Instant next() {
      if (barrier == Barrier.GATE) {
        return Instant.MAX;
      }
      if (barrier != null) {
        return barredUntil;
      }
      return due.isEmpty() ? Instant.MAX : due.getFirst();
    }

    void add(Instant at) {
      due.add(at);
      if (due.size() > MOST_TIMES) {
        due.pollLast();
      }
      news++;
    }
  }

  /** Whether this id is known to be a tube's. */
  synchronized boolean knows(String tubeId) {
    return entries.containsKey(tubeId);
  }

  /** A job is or becomes due. Does not lift a barrier. */
  synchronized void due(String tubeId, Instant at) {
    entries.computeIfAbsent(tubeId, _ -> Entry.unknown()).add(at);
  }

  /** A lease of this tube ended: what it could not do before, it may do now. */
  synchronized void outcome(String tubeId, Instant now) {
    Entry entry = entries.computeIfAbsent(tubeId, _ -> Entry.unknown());
    if (entry.barrier == Barrier.OUTCOME) {
      entry.barrier = null;
    }
    entry.lifts++;
    entry.add(now);
  }

  /** Gates or limits changed: everything that was barred is asked again. */
  synchronized void gatesChanged(Instant now) {
    for (Entry entry : entries.values()) {
      entry.lifts++;
      if (entry.barrier != null) {
        entry.barrier = null;
        entry.add(now);
      }
    }
  }

  /** When this tube is worth asking; {@link Instant#MAX} = not before news comes. */
  synchronized Instant next(String tubeId) {
    Entry entry = entries.get(tubeId);
    return entry == null ? Instant.MIN : entry.next();
  }

  /** What is known of a tube at one moment. */
  record Mark(long news, long lifts) {}

  /** A mark of what is known now: what comes later is news. */
  synchronized Mark mark(String tubeId) {
    Entry entry = entries.computeIfAbsent(tubeId, _ -> Entry.unknown());
    return new Mark(entry.news, entry.lifts);
  }

  /** Everything that was due up to {@code now} is leased, unless there were news since. */
  synchronized void served(String tubeId, Instant now, Mark since) {
    Entry entry = entries.computeIfAbsent(tubeId, _ -> Entry.unknown());
    entry.barrier = null;
    if (entry.news == since.news()) {
      entry.due.headSet(now, true).clear();
    }
  }

  /** Nothing may go before {@code until}, unless what lifts the barrier came since. */
  synchronized void bar(String tubeId, Barrier barrier, Instant until, Mark since) {
    Entry entry = entries.computeIfAbsent(tubeId, _ -> Entry.unknown());
    if (entry.lifts == since.lifts()) {
      entry.barrier = barrier;
      entry.barredUntil = until;
    }
  }
}
