package io.penstock.server.metrics;

import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.FiringListener;
import io.penstock.engine.recurring.FiringPlan;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts what this node's looks at schedules did. Safe for use by many threads. */
public final class ScheduleMetrics implements FiringListener {
  /** Seconds: from a look in time to a day's outage. */
  private static final double[] LATE = {
    0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 86_400
  };

  private static final double NANOS = 1e9;

  private final Counter fired;
  private final Counter skipped;
  private final Histogram late;

  public ScheduleMetrics(PrometheusRegistry registry) {
    fired =
        NodeMetrics.counter(
            registry,
            "penstock_schedule_firings",
            "Instants of schedules that came, by what became of their events.",
            "result");
    skipped =
        NodeMetrics.counter(
            registry,
            "penstock_schedule_skipped",
            "Instants of schedules that did not come: too old, or merged into a newer one.",
            "why");
    late =
        Histogram.builder()
            .name("penstock_schedule_late_seconds")
            .help("How long after their instants schedules fired.")
            .classicOnly()
            .classicUpperBounds(LATE)
            .register(registry);
  }

  @Override
  public void looked(FiringPlan.Done done) {
    for (Firing firing : done.firings()) {
      fired.labelValues(firing.problem().isEmpty() ? "fired" : "refused").inc();
      late.observe(Math.max(0, firing.late().toNanos() / NANOS));
    }
    skipped.labelValues("too_old").inc(done.due().tooOld());
    skipped.labelValues("merged").inc(done.due().merged());
  }
}
