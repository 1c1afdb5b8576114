package io.penstock.server.wiring;

import io.penstock.engine.host.Host;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.node.Node;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.recurring.FiringRunner;
import io.penstock.postgres.Pool;
import io.penstock.postgres.recurring.FiringRetention;
import io.penstock.postgres.recurring.PostgresSchedules;
import io.penstock.server.event.Bounds;
import io.penstock.server.http.Route;
import io.penstock.server.metrics.ScheduleMetrics;
import io.penstock.server.recurring.FiringService;
import io.penstock.server.recurring.SchedulesRoutes;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The parts around schedules: their loop, their routes and their chore. */
final class ScheduleParts {
  private static final Duration RETENTION_REST = Duration.ofMinutes(1);

  private final Pool pool;
  private final PostgresSchedules schedules;
  private final FiringService service;

  /**
   * Nothing fires yet.
   *
   * @param admitted hears of every answer, as it does of posted events; must not block
   */
  ScheduleParts(
      Pool pool,
      Node node,
      Host host,
      Consumer<List<Acceptance>> admitted,
      PrometheusRegistry registry,
      NodeListener trouble) {
    ScheduleMetrics metrics = new ScheduleMetrics(registry);
    this.pool = pool;
    this.schedules = new PostgresSchedules(pool);
    this.service =
        new FiringService(
            new FiringRunner(
                schedules,
                node.time(),
                node.intake()::newEventId,
                node.backlog(),
                node::due,
                done -> {
                  metrics.looked(done);
                  admitted.accept(done.answers());
                },
                trouble),
            host);
  }

  /** What runs now and then. */
  void addTo(Background chores) {
    FiringRetention retention = new FiringRetention(pool);
    chores.everyAfter(RETENTION_REST, "firing retention", retention::runOnce);
  }

  List<Route> routes(Bounds bounds, RandomGenerator random) {
    return new SchedulesRoutes(schedules, bounds, random, service::wake).routes();
  }

  void start() {
    service.start();
  }

  void stop() {
    service.stop();
  }
}
