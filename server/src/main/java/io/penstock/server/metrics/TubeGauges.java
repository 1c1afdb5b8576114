package io.penstock.server.metrics;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What stands now with tubes: read from memory when somebody scrapes. */
public final class TubeGauges {
  private TubeGauges() {}

  /** Registers them. */
  public static void register(
      PrometheusRegistry registry, IntSupplier waitingWorkers, IntSupplier silentTubes) {
    Callbacks.gauge(
        registry,
        "penstock_waiting_workers",
        "Workers that wait on this node for a job.",
        waitingWorkers::getAsInt);
    Callbacks.gauge(
        registry,
        "penstock_silent_tubes",
        "Tubes that succeed and bring nothing, or get nothing to do.",
        silentTubes::getAsInt);
  }

  /** Registers those of pools; their names are those of the limits file. */
  public static void registerPools(
      PrometheusRegistry registry,
      IntSupplier overCommitted,
      Supplier<Map<String, Double>> slackPercent) {
    Callbacks.gauge(
        registry,
        "penstock_over_committed_pools",
        "Pools of which more is promised, or for which more arrives, than they have workers.",
        overCommitted::getAsInt);
    GaugeWithCallback.builder()
        .name("penstock_pool_slack_percent")
        .help("What allotments and arrivals leave of a pool's workers; negative = too few.")
        .labelNames("pool")
        .callback(callback -> slackPercent.get().forEach((pool, left) -> callback.call(left, pool)))
        .register(registry);
  }
}
