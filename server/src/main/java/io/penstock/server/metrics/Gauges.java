package io.penstock.server.metrics;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.node.Node;
import io.penstock.postgres.depth.Depths;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What stands now: read from the node's memory and the sampler's last round when somebody scrapes.
 * Nothing here asks the database.
 */
public final class Gauges {
  /** The destinations that are named, oldest first: the ones that somebody must look at. */
  private static final int MOST_DESTINATIONS = 50;

  private Gauges() {}

  /** Registers them. */
  public static void register(PrometheusRegistry registry, Node node, Supplier<Depths> depths) {
    Callbacks.gauge(
        registry, "penstock_in_flight", "Deliveries in flight on this node.", node::inFlight);
    Callbacks.gauge(
        registry, "penstock_slots", "Deliveries that may be in flight here.", node::slotLimit);
    Callbacks.gauge(
        registry,
        "penstock_scheduled_destinations",
        "Destinations that this node knows to have something to do.",
        node::scheduled);
    Callbacks.counter(
        registry,
        "penstock_ledger_clock_jumps",
        "Jumps of the ledger's clock against this node's; expiry rests after one.",
        () -> node.time().jumps());
    Supplier<Instant> now = () -> node.time().now();
    Callbacks.gauge(
        registry,
        "penstock_oldest_ready_age_seconds",
        "Age of the oldest delivery that may go and has not.",
        () -> oldest(depths.get(), now.get()));
    Callbacks.gauge(
        registry,
        "penstock_depth_age_seconds",
        "Age of the sample that depths and oldest ages come from.",
        () -> sampleAge(depths.get(), now.get()));
    Callbacks.gauge(
        registry,
        "penstock_ledger_oldest_snapshot_seconds",
        "How long the oldest transaction on the database that our role sees has kept its snapshot,"
            + " and vacuum from its work.",
        () -> depths.get().oldestSnapshot().toMillis() / 1e3);
    Callbacks.gauges(
        registry,
        "penstock_ready",
        "Deliveries that may go now, by lane.",
        callback -> byLane(depths.get(), true, callback),
        "lane");
    Callbacks.gauges(
        registry,
        "penstock_later",
        "Deliveries scheduled for later or behind a closed gate, by lane.",
        callback -> byLane(depths.get(), false, callback),
        "lane");
    Callbacks.gauges(
        registry,
        "penstock_destination_oldest_ready_age_seconds",
        "The same for the %d destinations with the oldest.".formatted(MOST_DESTINATIONS),
        callback -> byDestination(depths.get(), now.get(), callback),
        "tenant",
        "destination");
  }

  private static double oldest(Depths depths, Instant now) {
    return depths.destinations().values().stream()
        .flatMap(depth -> Optional.ofNullable(depth.oldestReadySince()).stream())
        .min(Comparator.naturalOrder())
        .map(since -> age(since, now))
        .orElse(0.0);
  }

  private static double sampleAge(Depths depths, Instant now) {
    Instant at = depths.at();
    return at == null ? Double.NaN : age(at, now);
  }

  private static void byLane(Depths depths, boolean ready, GaugeWithCallback.Callback callback) {
    for (Lane lane : Lane.values()) {
      double count =
          depths.destinations().values().stream()
              .flatMap(depth -> depth.lanes().stream())
              .filter(depth -> depth.lane() == lane)
              .mapToLong(depth -> ready ? depth.ready() : depth.later())
              .sum();
      callback.call(count, lane.name().toLowerCase(Locale.ROOT));
    }
  }

  private static void byDestination(
      Depths depths, Instant now, GaugeWithCallback.Callback callback) {
    record Aged(String tenant, String destination, double age) {}
    depths.destinations().entrySet().stream()
        .flatMap(entry ->
            Optional.ofNullable(entry.getValue().oldestReadySince())
                .map(since -> new Aged(tenant(entry), entry.getKey(), age(since, now)))
                .stream())
        .sorted(Comparator.comparingDouble(Aged::age).reversed())
        .limit(MOST_DESTINATIONS)
        .forEach(aged -> callback.call(aged.age(), aged.tenant(), aged.destination()));
  }

  private static String tenant(Map.Entry<String, Depths.Depth> entry) {
    return entry.getValue().tenantId();
  }

  private static double age(Instant since, Instant now) {
    return Math.max(0, NodeMetrics.seconds(Duration.between(since, now)));
  }
}
