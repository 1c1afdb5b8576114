package io.penstock.server.metrics;

import io.penstock.server.http.RequestListener;
import io.penstock.server.problem.ErrorCode;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Counts what the API answers. Safe for use by many threads. */
public final class HttpMetrics implements RequestListener {
  private final Counter requests;
  private final Counter refusals;
  private final Histogram durations;

  public HttpMetrics(PrometheusRegistry registry) {
    requests =
        NodeMetrics.counter(
            registry,
            "penstock_http_requests",
            "Requests answered, by route and status.",
            "method",
            "path",
            "status");
    refusals =
        NodeMetrics.counter(
            registry, "penstock_http_refused", "Requests refused, by error code.", "code");
    durations =
        NodeMetrics.histogram(
            registry,
            "penstock_http_request_duration_seconds",
            "How long requests took, by route.",
            "method",
            "path");
  }

  @Override
  public void answered(
      String method, String path, int status, @Nullable ErrorCode refused, Duration took) {
    requests.labelValues(method, path, Integer.toString(status)).inc();
    durations.labelValues(method, path).observe(NodeMetrics.seconds(took));
    if (refused != null) {
      refusals.labelValues(refused.word()).inc();
    }
  }
}
