package io.penstock.engine.walk;

import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.host.Host;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.schedule.DueHeap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the destinations that have something waiting and tells the heap, so that everything is
 * found even when every hint was lost; on its way it ends what has grown too old. A round that runs
 * out of time goes on where it stopped. One thread, but for what says otherwise.
 */
public final class Walker {
  /** Time between the ends of two full rounds. */
  public static final Duration INTERVAL = Duration.ofSeconds(5);

  /** Destinations per statement, about 0.03 ms each. */
  static final int PAGE = 500;

  /** Working time of one step; the rest of the round follows after a breath. */
  static final Duration TIME_BUDGET = Duration.ofSeconds(1);

  /** The breath between two steps of one round. */
  static final Duration BREATH = Duration.ofMillis(50);

  /** Expired deliveries ended per destination and step. */
  static final int MOST_EXPIRED = 500;

  private final int shard;
  private final Ledger ledger;
  private final DueHeap heap;
  private final LedgerTime time;
  private final Host host;
  private final Limits limits;
  private final NodeListener listener;
  private @Nullable String after;
  private int found;
  private long roundBegan;
  private boolean phased;
  private volatile boolean anew;

  public Walker(
      int shard,
      Ledger ledger,
      DueHeap heap,
      LedgerTime time,
      Host host,
      Limits limits,
      NodeListener listener) {
    this.shard = shard;
    this.ledger = ledger;
    this.heap = heap;
    this.time = time;
    this.host = host;
    this.limits = limits;
    this.listener = listener;
    this.roundBegan = host.nanoTime();
  }

  /** The next step drops all hints and begins a round from the start. Any thread may call. */
  public void beginAnew() {
    anew = true;
  }

  /**
   * Drops all hints and finds everything again, at once and in one go. Any thread may call: it has
   * a round of its own, in which nothing ends by its age.
   *
   * @return how many destinations have something waiting
   */
  public int rebuild() {
    heap.clear();
    int count = 0;
    String last = null;
    List<WalkEntry> page;
    do {
      page = ledger.walk(shard, last, PAGE);
      page.forEach(entry -> heap.found(entry.destinationId(), entry.earliestNotBefore()));
      count += page.size();
      last = page.isEmpty() ? last : page.getLast().destinationId();
    } while (page.size() == PAGE);
    return count;
  }

  /** One step of a round; returns how long to rest. */
  public Duration runOnce() {
    long began = host.nanoTime();
    if (anew) {
      anew = false;
      heap.clear();
      after = null;
    }
    if (after == null) {
      roundBegan = began;
      found = 0;
    }
    try {
      do {
        List<WalkEntry> page = ledger.walk(shard, after, PAGE);
        page.forEach(entry -> heap.found(entry.destinationId(), entry.earliestNotBefore()));
        page.forEach(this::expire);
        found += page.size();
        if (page.size() < PAGE) {
          return endOfRound();
        }
        after = page.getLast().destinationId();
      } while (host.nanoTime() - began < TIME_BUDGET.toNanos());
      return BREATH;
    } catch (LedgerException failure) {
      listener.ledgerFailed("walk", failure);
      return Duration.ofSeconds(1);
    }
  }

  private Duration endOfRound() {
    after = null;
    listener.walked(found, Duration.ofNanos(host.nanoTime() - roundBegan));
    if (!phased) {
      // A random phase, so that the nodes of an installation do not walk together.
      phased = true;
      return Duration.ofMillis(host.random().nextLong(INTERVAL.toMillis()) + 1);
    }
    return INTERVAL;
  }

  /** Ends what is too old; one destination that cannot be looked after does not hide the others. */
  private void expire(WalkEntry entry) {
    Instant agedBefore = time.now().minus(limits.of(entry.destinationId()).ageLimit());
    if (entry.oldestAgeFrom().isBefore(agedBefore) && time.trusted()) {
      try {
        ledger.expire(shard, entry.destinationId(), agedBefore, MOST_EXPIRED);
      } catch (LedgerException failure) {
        listener.ledgerFailed("expire", failure);
      }
    }
  }
}
