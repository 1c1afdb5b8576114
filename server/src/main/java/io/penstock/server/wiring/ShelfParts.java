package io.penstock.server.wiring;

import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.Pool;
import io.penstock.postgres.erasure.ErasureTask;
import io.penstock.postgres.erasure.Erasures;
import io.penstock.postgres.ledger.Cancels;
import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DeliveryReads;
import io.penstock.postgres.read.EventReads;
import io.penstock.postgres.read.GroupReads;
import io.penstock.postgres.read.ShelfReads;
import io.penstock.postgres.retention.Retention;
import io.penstock.postgres.shelf.ShelfCounter;
import io.penstock.server.audit.AuditRoutes;
import io.penstock.server.delivery.CancelRoutes;
import io.penstock.server.http.Route;
import io.penstock.server.shelf.ShelfRoutes;
import io.penstock.server.tenant.ErasureRoutes;
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

  private static final Duration ERASURE_REST = Duration.ofSeconds(5);

  private static final Duration ERASURE_BUDGET = Duration.ofSeconds(1);

  private final LedgerHome home;
  private final Ledger ledger;
  private final Limits limits;
  private final Pool pool;
  private final LongSupplier nanoClock;

  ShelfParts(LedgerHome home, Ledger ledger, Limits limits, LongSupplier nanoClock) {
    this.home = home;
    this.ledger = ledger;
    this.limits = limits;
    this.pool = home.pool();
    this.nanoClock = nanoClock;
  }

  /** What runs now and then. */
  void addTo(Background chores) {
    Retention retention = new Retention(home.maintenance(), pool, limits, nanoClock);
    ShelfCounter counter = new ShelfCounter(pool, nanoClock);
    // At once: it also makes the partitions of the days ahead.
    chores.every(RETENTION_REST, "retention", () -> retention.runOnce(RETENTION_BUDGET));
    ErasureTask erasure = new ErasureTask(home.maintenance(), pool, ledger, nanoClock);
    chores.everyAfter(ERASURE_REST, "erasure", () -> erasure.runOnce(ERASURE_BUDGET));
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
    all.addAll(new ErasureRoutes(new Erasures(pool)).routes());
    all.addAll(new AuditRoutes(new AuditReads(pool), now).routes());
    all.addAll(
        new CancelRoutes(new Cancels(pool, nanoClock), new ConfigurationReads(pool), freed, now)
            .routes());
    return List.copyOf(all);
  }
}
