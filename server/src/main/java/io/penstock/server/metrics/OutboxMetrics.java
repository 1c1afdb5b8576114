package io.penstock.server.metrics;

import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.outbox.Expansion;
import io.penstock.engine.outbox.Outbox;
import io.penstock.engine.outbox.OutboxListener;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Counts what becomes of the outbox's rows. Safe for use by many threads. */
public final class OutboxMetrics implements OutboxListener {
  private final Counter refused;
  private final Counter deferred;
  private final Consumer<List<Acceptance>> admitted;

  /**
   * @param admitted hears what the ledger answered, as it does of posted events
   * @param depth what lay there when somebody last looked
   * @param now the ledger's time
   */
  public OutboxMetrics(
      PrometheusRegistry registry,
      Consumer<List<Acceptance>> admitted,
      Supplier<Outbox.Depth> depth,
      Supplier<Instant> now) {
    this.admitted = admitted;
    this.refused =
        NodeMetrics.counter(
            registry,
            "penstock_outbox_refused",
            "Rows of the outbox that became no event, by reason.",
            "reason");
    this.deferred =
        NodeMetrics.counter(
            registry,
            "penstock_outbox_deferred",
            "How often rows of the outbox were put off for want of room.");
    Callbacks.gauge(
        registry,
        "penstock_outbox_rows",
        "Rows of the outbox that were not expanded yet, counted up to 10,000.",
        () -> depth.get().rows());
    Callbacks.gauge(
        registry,
        "penstock_outbox_oldest_age_seconds",
        "Age of the oldest of them; 0 = there is none.",
        () -> age(depth.get(), now.get()));
    Callbacks.gauge(
        registry,
        "penstock_outbox_refused_rows",
        "Refused rows that lie there for an operator, counted up to 10,000.",
        () -> depth.get().refused());
  }

  private static double age(Outbox.Depth depth, Instant now) {
    Instant oldest = depth.oldest();
    return oldest == null ? 0 : Math.max(0, NodeMetrics.seconds(Duration.between(oldest, now)));
  }

  @Override
  public void expanded(Expansion expansion) {
    admitted.accept(expansion.answers());
    expansion.refused().forEach(why -> refused.labelValues(why.reason().word()).inc());
    deferred.inc(expansion.deferred());
  }
}
