package io.penstock.server.wiring;

import io.penstock.engine.history.HistoryPoint;
import io.penstock.engine.history.Recorder;
import io.penstock.engine.history.Sighting;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.observe.Listeners;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.rollup.Rollup;
import io.penstock.engine.rollup.Rollups;
import io.penstock.postgres.Pool;
import io.penstock.postgres.depth.Depths;
import io.penstock.postgres.history.HistoryStore;
import io.penstock.postgres.rollup.RollupStore;
import io.penstock.server.metrics.Callbacks;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the roll-ups and histories: the node's listeners count in memory, and one chore takes that
 * away every few seconds. Nothing on the hot path ever waits for it (case 45). Safe for use by many
 * threads.
 */
final class Bookkeeper {
  private final Rollups rollups;
  private final Recorder recorder = new Recorder();
  private final RollupStore rollupStore;
  private final HistoryStore historyStore;
  private final Supplier<Depths> depths;
  private @Nullable Instant lastSampled;

  /**
   * Nothing counted yet.
   *
   * @param clock the ledger's time, as the node estimates it
   */
  Bookkeeper(
      Pool pool, Supplier<Instant> clock, Supplier<Depths> depths, PrometheusRegistry registry) {
    this.rollups = new Rollups(clock);
    this.rollupStore = new RollupStore(pool);
    this.historyStore = new HistoryStore(pool);
    this.depths = depths;
    Callbacks.counter(
        registry,
        "penstock_bookkeeping_lost",
        "Counts and points of histories for which the node's memory had no room.",
        () -> rollups.lost() + recorder.lost());
  }

  /** Hears what the node does, after {@code first}. */
  NodeListener listener(NodeListener first) {
    NodeListener recording =
        new NodeListener() {
          @Override
          public void seen(List<Sighting> sightings) {
            recorder.seen(sightings);
          }
        };
    return new Listeners(first, rollups, recording);
  }

  /** Hears what is admitted, after {@code first}. */
  Consumer<List<Acceptance>> admitted(Consumer<List<Acceptance>> first) {
    return first.andThen(rollups::admitted);
  }

  /** The minute counts, for those who send without the node. */
  Rollups rollups() {
    return rollups;
  }

  /** Writes what was counted; what cannot be written stays for the next time. */
  synchronized void flush() {
    sample();
    List<Rollup> minutes = rollups.take();
    try {
      rollupStore.add(minutes);
    } catch (RuntimeException e) {
      rollups.giveBack(minutes);
      throw e;
    }
    List<HistoryPoint> points = recorder.take();
    try {
      historyStore.add(points);
    } catch (RuntimeException e) {
      recorder.giveBack(points);
      throw e;
    }
  }

  /** What waits, once a minute: as long as the sampler knows something new. */
  private void sample() {
    Depths sampled = depths.get();
    Instant at = sampled.at();
    if (at == null || at.truncatedTo(ChronoUnit.MINUTES).equals(lastSampled)) {
      return;
    }
    lastSampled = at.truncatedTo(ChronoUnit.MINUTES);
    sampled
        .destinations()
        .forEach((id, depth) ->
            rollups.waiting(
                id,
                at,
                depth.lanes().stream().mapToLong(lane -> lane.ready() + lane.later()).sum(),
                depth.oldestReadySince()));
  }
}
