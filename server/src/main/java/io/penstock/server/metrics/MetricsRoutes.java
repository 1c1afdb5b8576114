package io.penstock.server.metrics;

import io.penstock.server.auth.Scope;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Shows the metrics in the form that the scraper asks for. Safe for use by many threads. */
public final class MetricsRoutes {
  private final PrometheusRegistry registry;
  private final boolean open;
  private final ExpositionFormats formats = ExpositionFormats.init();

  /**
   * @param open whether no key is needed
   */
  public MetricsRoutes(PrometheusRegistry registry, boolean open) {
    this.registry = registry;
    this.open = open;
  }

  public List<Route> routes() {
    Set<Scope> scopes = open ? Route.PUBLIC : EnumSet.of(Scope.OPERATOR);
    return List.of(Route.get("/metrics", scopes, Set.of(), this::scrape));
  }

  private Answer scrape(Call call) {
    ExpositionFormatWriter writer = formats.findWriter(call.header("Accept").orElse(""));
    ByteArrayOutputStream out = new ByteArrayOutputStream(32 << 10);
    try {
      writer.write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail to be written", e);
    }
    return Answer.of(200, writer.getContentType(), out.toByteArray());
  }
}
