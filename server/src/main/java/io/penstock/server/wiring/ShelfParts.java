package io.penstock.server.wiring;

import io.penstock.engine.ledger.BudgetRule;
import io.penstock.postgres.Pool;
import io.penstock.postgres.ledger.Cancels;
import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DeliveryReads;
import io.penstock.postgres.read.EventReads;
import io.penstock.postgres.read.GroupReads;
import io.penstock.postgres.read.ShelfReads;
import io.penstock.postgres.retention.Retention;
import io.penstock.postgres.retention.RetentionSettings;
import io.penstock.postgres.shelf.ShelfCounter;
import io.penstock.server.audit.AuditRoutes;
import io.penstock.server.delivery.CancelRoutes;
import io.penstock.server.http.Route;
import io.penstock.server.shelf.ShelfRoutes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The parts around the shelf: its routes and its chores. */
final class ShelfParts {
  /** Old rows go in small bites, now and then, so that nobody notices. */
  private static final Duration RETENTION_REST = Duration.ofMinutes(1);

  private static final Duration RETENTION_BUDGET = Duration.ofSeconds(5);

  /** How fresh the groups of the shelf are; a fifth of the time may go into counting. */
  private static final Duration COUNT_REST = Duration.ofSeconds(1);

  private static final Duration COUNT_BUDGET = Duration.ofMillis(200);

  private final LedgerHome home;
  private final Pool pool;
  private final LongSupplier nanoClock;

  ShelfParts(LedgerHome home, LongSupplier nanoClock) {
    this.home = home;
    this.pool = home.pool();
    this.nanoClock = nanoClock;
  }

  /** What runs now and then. */
  void addTo(Background chores) {
    Retention retention =
        new Retention(home.maintenance(), pool, () -> RetentionSettings.DEFAULT, nanoClock);
    ShelfCounter counter = new ShelfCounter(pool, nanoClock);
    chores.every(RETENTION_REST, "retention", () -> retention.runOnce(RETENTION_BUDGET));
    chores.every(COUNT_REST, "shelf", () -> counter.runOnce(COUNT_BUDGET));
  }

  /**
   * What is served.
   *
   * @param now the ledger's time
   * @param freed gives a budget its slot back
   */
  List<Route> routes(Supplier<Instant> now, BudgetRule freed) {
    List<Route> all = new ArrayList<>();
    all.addAll(
        new ShelfRoutes(
                new ShelfReads(pool),
                new GroupReads(pool),
                new DeliveryReads(pool),
                new EventReads(pool),
                now)
            .routes());
    all.addAll(new AuditRoutes(new AuditReads(pool), now).routes());
    all.addAll(
        new CancelRoutes(new Cancels(pool, nanoClock), new ConfigurationReads(pool), freed, now)
            .routes());
    return List.copyOf(all);
  }
}
