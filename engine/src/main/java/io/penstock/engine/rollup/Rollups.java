package io.penstock.engine.rollup;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.history.Sighting;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a node does, per destination and minute, in memory; somebody else takes the counts
 * away every few seconds and writes them. Costs the hot path one short lock per batch and never
 * waits for the ledger (case 45). Safe for use by many threads.
 */
public final class Rollups implements NodeListener {
  /**
   * Rows held at once: a minute of every destination of a large node. Beyond it counts are lost.
   */
  static final int MOST_ROWS = 100_000;

  private final Supplier<Instant> clock;
  private final Map<Key, Counts> counts = new LinkedHashMap<>();
  private long lost;

  /**
   * Nothing counted yet.
   *
   * @param clock the ledger's time, as the node estimates it
   */
  public Rollups(Supplier<Instant> clock) {
    this.clock = clock;
  }

  private record Key(String destinationId, Instant minute) {}

  private static final class Counts {
    private int admitted;
    private int sent;
    private final Map<String, Integer> outcomes = new HashMap<>();
    private @Nullable Long waiting;
    private @Nullable Instant oldest;
    private @Nullable Double rate;
  }

  /** Events were accepted. */
  public void admitted(List<Acceptance> acceptances) {
    Instant minute = minuteOf(clock.get());
    synchronized (counts) {
      for (Acceptance acceptance : acceptances) {
        if (acceptance instanceof Acceptance.Stored stored) {
          for (Acceptance.Fanned fanned : stored.deliveries()) {
            if (fanned.state() == DeliveryState.PENDING) {
              Counts its = of(fanned.destinationId(), minute);
              if (its != null) {
                its.admitted++;
              }
            }
          }
        }
      }
    }
  }

  @Override
  public void sent(Leased delivery) {
    permitsTaken(delivery.key().destinationId(), 1);
  }

  /** A permit counts as sent when it is taken. */
  @Override
  public void permitsTaken(String destinationId, int count) {
    Instant minute = minuteOf(clock.get());
    synchronized (counts) {
      Counts its = of(destinationId, minute);
      if (its != null) {
        its.sent += count;
      }
    }
  }

  @Override
  public void settled(Settled settled, Duration took) {
    Instant minute = minuteOf(settled.now());
    synchronized (counts) {
      for (Settled.Applied applied : settled.applied()) {
        Settlement.AttemptRow attempt = applied.settlement().attempt();
        if (attempt != null) {
          ended(applied.settlement().lease().key().destinationId(), minute, attempt.outcome());
        }
      }
    }
  }

  @Override
  public void permitEnded(String destinationId, String outcome) {
    Instant minute = minuteOf(clock.get());
    synchronized (counts) {
      ended(destinationId, minute, outcome);
    }
  }

  private void ended(String destinationId, Instant minute, String outcome) {
    Counts its = of(destinationId, minute);
    if (its != null) {
      its.outcomes.merge(outcome, 1, Integer::sum);
    }
  }

  @Override
  public void seen(List<Sighting> sightings) {
    synchronized (counts) {
      for (Sighting sighting : sightings) {
        Counts its = of(sighting.destinationId(), minuteOf(sighting.at()));
        if (its != null) {
          its.rate = sighting.rate();
        }
      }
    }
  }

  /** A sample counted what waits for a destination. */
  public void waiting(String destinationId, Instant at, long waiting, @Nullable Instant oldest) {
    synchronized (counts) {
      Counts its = of(destinationId, minuteOf(at));
      if (its != null) {
        its.waiting = waiting;
        its.oldest = oldest;
      }
    }
  }

  /** All that was counted since the last call. */
  public List<Rollup> take() {
    Map<Key, Counts> taken;
    synchronized (counts) {
      taken = new LinkedHashMap<>(counts);
      counts.clear();
    }
    List<Rollup> rollups = new ArrayList<>(taken.size());
    taken.forEach((key, its) ->
        rollups.add(
            new Rollup(
                key.destinationId(),
                key.minute(),
                its.admitted,
                its.sent,
                its.outcomes,
                its.waiting,
                its.oldest,
                its.rate)));
    return rollups;
  }

  /** What was taken could not be written: it is counted again. */
  public void giveBack(List<Rollup> rollups) {
    synchronized (counts) {
      for (Rollup rollup : rollups) {
        Counts its = of(rollup.destinationId(), rollup.minute());
        if (its != null) {
          its.admitted += rollup.admitted();
          its.sent += rollup.sent();
          rollup.outcomes().forEach((word, n) -> its.outcomes.merge(word, n, Integer::sum));
          its.waiting = its.waiting == null ? rollup.waiting() : its.waiting;
          its.oldest = its.oldest == null ? rollup.oldest() : its.oldest;
          its.rate = its.rate == null ? rollup.rate() : its.rate;
        }
      }
    }
  }

  /** Counts that found no room, since the start. */
  public long lost() {
    synchronized (counts) {
      return lost;
    }
  }

  private @Nullable Counts of(String destinationId, Instant minute) {
    Key key = new Key(destinationId, minute);
    Counts its = counts.get(key);
    if (its == null) {
      if (counts.size() >= MOST_ROWS) {
        lost++;
        return null;
      }
      its = new Counts();
      counts.put(key, its);
    }
    return its;
  }

  private static Instant minuteOf(Instant at) {
    return at.truncatedTo(ChronoUnit.MINUTES);
  }
}
