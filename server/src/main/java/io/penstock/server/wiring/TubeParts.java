package io.penstock.server.wiring;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.tube.Presence;
import io.penstock.engine.tube.Tubes;
import io.penstock.postgres.Pool;
import io.penstock.postgres.limits.Arrivals;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.worker.WorkerStore;
import io.penstock.server.http.Route;
import io.penstock.server.metrics.TubeGauges;
import io.penstock.server.tube.JobRoutes;
import io.penstock.server.tube.SilenceWatch;
import io.penstock.server.tube.Supply;
import io.penstock.server.tube.SupplyRoutes;
import io.penstock.server.tube.SupplyWatch;
import io.penstock.server.tube.TubeRoutes;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** What serves tubes and their workers, wired. */
final class TubeParts {
  /** Silence is a matter of hours. */
  static final Duration SILENCE_REST = Duration.ofSeconds(30);

  /** A day's minutes are added up for it. */
  static final Duration SUPPLY_REST = Duration.ofMinutes(5);

  /** How late people see a new worker. */
  static final Duration PRESENCE_REST = Duration.ofSeconds(2);

  private final Tubes tubes;
  private final WorkerStore workers;
  private final TubeReads reads;
  private final SilenceWatch silence;
  private final Supply supply;
  private final SupplyWatch supplyWatch;

  TubeParts(Pool pool, Tubes tubes, Limits limits, PrometheusRegistry registry) {
    this.tubes = tubes;
    this.workers = new WorkerStore(pool);
    this.reads = new TubeReads(pool);
    this.silence = new SilenceWatch(reads, limits);
    this.supply = new Supply(reads, workers, new Arrivals(pool), limits);
    this.supplyWatch = new SupplyWatch(supply);
    TubeGauges.register(registry, tubes::waitingWorkers, silence::silent);
    TubeGauges.registerPools(registry, supplyWatch::overCommitted, supplyWatch::slackPercent);
  }

  TubeReads reads() {
    return reads;
  }

  WorkerStore workers() {
    return workers;
  }

  List<Route> routes(Ledger ledger, Limits limits, LongSupplier nanoClock) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(new JobRoutes(tubes, limits, ledger, reads, nanoClock).routes());
    routes.addAll(new TubeRoutes(reads, workers, limits).routes());
    routes.addAll(new SupplyRoutes(supply).routes());
    return routes;
  }

  /** Looks which pools are over-committed. */
  void lookAtSupply() {
    supplyWatch.runOnce();
  }

  /** Looks which tubes have fallen silent. */
  void lookForSilence() {
    silence.runOnce();
  }

  /** Notes who was heard of. */
  void notePresence(String nodeName) {
    List<Presence.Seen> seen = tubes.presence().takeChanged();
    if (!seen.isEmpty()) {
      workers.seen(nodeName, seen);
    }
  }
}
