package io.penstock.server.metrics;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.IntSupplier;

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
}
