package io.penstock.server.metrics;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Metrics whose value is read when somebody scrapes: from memory, never from the database. */
public final class Callbacks {
  private Callbacks() {}

  /** A gauge of one number. */
  public static void gauge(
      PrometheusRegistry registry, String name, String help, Supplier<? extends Number> value) {
    gauges(registry, name, help, callback -> callback.call(value.get().doubleValue()));
  }

  /** A gauge with a number for each value of its labels, of which there are few. */
  public static void gauges(
      PrometheusRegistry registry,
      String name,
      String help,
      Consumer<GaugeWithCallback.Callback> values,
      String... labels) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .callback(values)
        .register(registry);
  }

  /** A counter that somebody else counts. */
  public static void counter(
      PrometheusRegistry registry, String name, String help, LongSupplier value) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(registry);
  }
}
