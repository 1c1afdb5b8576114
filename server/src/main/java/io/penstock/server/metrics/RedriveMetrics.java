package io.penstock.server.metrics;

import io.penstock.engine.redrive.RedriveDecision;
import io.penstock.engine.redrive.RedriveListener;
import io.penstock.engine.redrive.RedriveTask;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts what this node's steps of redrives did. Safe for use by many threads. */
public final class RedriveMetrics implements RedriveListener {
  private final Counter released;
  private final Counter ended;

  public RedriveMetrics(PrometheusRegistry registry) {
    released =
        NodeMetrics.counter(registry, "penstock_redriven", "Dead letters released by redrives.");
    ended =
        NodeMetrics.counter(
            registry, "penstock_redrives_ended", "Redrives that have ended, by why.", "why");
  }

  @Override
  public void stepped(RedriveTask task, RedriveDecision decision, int count) {
    released.inc(count);
    switch (decision) {
      case RedriveDecision.Complete _,
          RedriveDecision.CanaryFailed _,
          RedriveDecision.TooManyFailed _,
          RedriveDecision.DestinationDeleted _ ->
          ended.labelValues(decision.word()).inc();
      case RedriveDecision.Release _,
          RedriveDecision.Freezing _,
          RedriveDecision.Paced _,
          RedriveDecision.Backlog _,
          RedriveDecision.Canary _,
          RedriveDecision.Closed _,
          RedriveDecision.Following _ -> {}
    }
  }
}
