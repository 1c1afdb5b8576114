package io.penstock.server.outbox;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.node.Node;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.outbox.Outbox;
import io.penstock.engine.outbox.OutboxReader;
import io.penstock.engine.outbox.OutboxRunner;
import io.penstock.postgres.Pool;
import io.penstock.postgres.outbox.PostgresOutbox;
import io.penstock.postgres.outbox.RefusedRows;
import io.penstock.server.http.Route;
import io.penstock.server.metrics.OutboxMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.Consumer;

/**
 * This node's part in the outbox: a loop that expands it, its figures and its routes. Safe for use
 * by many threads.
 */
public final class OutboxService {
  private final PostgresOutbox outbox;
  private final OutboxRoutes routes;
  private final Loop loop;
  private volatile Outbox.Depth depth = Outbox.Depth.NONE;

  /**
   * @param reader makes events of rows
   * @param admitted hears of every answer, as it does of posted events; must not block
   */
  public OutboxService(
      Pool pool,
      Node node,
      Host host,
      OutboxReader reader,
      Consumer<List<Acceptance>> admitted,
      PrometheusRegistry registry,
      NodeListener trouble) {
    this.outbox = new PostgresOutbox(pool);
    this.routes = new OutboxRoutes(outbox::depth, new RefusedRows(pool));
    OutboxMetrics metrics =
        new OutboxMetrics(registry, admitted, () -> depth, () -> node.time().now());
    OutboxRunner runner = new OutboxRunner(outbox, reader, node.intake(), metrics, trouble);
    this.loop = new Loop("outbox", host, runner::runOnce);
  }

  public List<Route> routes() {
    return routes.routes();
  }

  public void start() {
    loop.start();
  }

  /** Takes no more rows; the transaction under way ends by itself or is rolled back. */
  public void stop() {
    loop.stop();
  }

  /** Looks what lies there, for the figures, and throws away what was refused long ago. */
  public void lookAround() {
    depth = outbox.depth();
    outbox.forgetOld();
  }
}
