package io.penstock.server.metrics;

import io.penstock.engine.ledger.Acceptance;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.Consumer;

/** Counts what is admitted. Safe for use by many threads. */
public final class IntakeMetrics implements Consumer<List<Acceptance>> {
  private final Counter events;
  private final Counter deliveries;
  private final Counter suppressed;

  public IntakeMetrics(PrometheusRegistry registry) {
    events =
        NodeMetrics.counter(
            registry, "penstock_events", "Events posted, by what became of them.", "result");
    deliveries =
        NodeMetrics.counter(
            registry, "penstock_admitted", "Deliveries that accepted events became.", "state");
    suppressed =
        NodeMetrics.counter(
            registry,
            "penstock_suppressed",
            "Jobs that were not made, because their item was fresh in the tube.");
  }

  @Override
  public void accept(List<Acceptance> acceptances) {
    for (Acceptance acceptance : acceptances) {
      switch (acceptance) {
        case Acceptance.Stored stored -> {
          events.labelValues("stored").inc();
          stored.deliveries().forEach(d -> deliveries.labelValues(d.state().word()).inc());
          suppressed.inc(stored.suppressed().size());
        }
        case Acceptance.Replayed _ -> events.labelValues("replayed").inc();
        case Acceptance.KeyConflict _ -> events.labelValues("key_conflict").inc();
        case Acceptance.UnknownTenant _ -> events.labelValues("unknown_tenant").inc();
        case Acceptance.UnknownDestination _ -> events.labelValues("unknown_destination").inc();
        case Acceptance.Full _ -> events.labelValues("full").inc();
      }
    }
  }
}
