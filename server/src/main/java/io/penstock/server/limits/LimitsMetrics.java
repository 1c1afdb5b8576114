package io.penstock.server.limits;

import io.penstock.engine.limits.AlertThresholds;
import io.penstock.server.metrics.Callbacks;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** What the node says of its limits to a scraper; read from memory. */
public final class LimitsMetrics {
  private LimitsMetrics() {}

  /** Registers it. */
  public static void register(PrometheusRegistry registry, LiveLimits live) {
    Callbacks.gauge(
        registry,
        "penstock_limits_version",
        "Version of the limits that this node obeys; 0 = none was made yet.",
        live::versionNo);
    Callbacks.gauge(
        registry,
        "penstock_limits_refused",
        "1 = the node's limits file or the newest version is refused, and an older one stays.",
        () -> live.complaint().isEmpty() ? 0 : 1);
    Callbacks.counter(
        registry,
        "penstock_limits_refusals",
        "Limits files and versions that this node refused.",
        live::refusals);
    Callbacks.gauges(
        registry,
        "penstock_alert_threshold",
        "From where on an operator wants to be told, as the limits file says.",
        callback -> thresholds(live.alerts(), callback),
        "alert");
  }

  private static void thresholds(AlertThresholds alerts, GaugeWithCallback.Callback callback) {
    callback.call(alerts.oldestReady().toMillis() / 1e3, "oldest_ready_seconds");
    callback.call((double) alerts.readyDeliveries(), "ready_deliveries");
    callback.call(alerts.throttledShare(), "throttled_share");
    callback.call((double) alerts.deadLettersPerHour(), "dead_letters_per_hour");
    callback.call((double) alerts.deadLettersPerMinute(), "dead_letters_per_minute");
    callback.call(alerts.attemptsPerDelivery(), "attempts_per_delivery");
    callback.call(alerts.timeToDrain().toMillis() / 1e3, "time_to_drain_seconds");
  }
}
