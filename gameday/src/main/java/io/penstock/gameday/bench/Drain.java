package io.penstock.gameday.bench;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.ledger.PostgresLedger;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A backlog that is let go all at once. */
final class Drain {
  private static final Duration LOOK = Duration.ofMillis(5);

  /** Nodes look at the gates twice a second. */
  private static final Duration GATE_KNOWN = Duration.ofSeconds(1);

  private static final Audit BY = new Audit("bench", "drain");

  private Drain() {}

  /**
   * Piles up so many deliveries behind the tenant's closed gate, opens it, and takes the time from
   * the first receipt until all are settled; deliveries per second.
   */
  static double measure(
      Stand stand, Stand.Receiving receiver, String prefix, int destinations, int backlog)
      throws Exception {
    Ledger database = stand.ledger();
    try (Pool pool =
        Pool.open(DatabaseSettings.direct(database.url(), database.user(), database.password()))) {
      PostgresLedger ledger = PostgresLedger.open(pool);
      gate(ledger, GateAction.PAUSE);
      Stand.passTime(GATE_KNOWN);
      pileUp(stand, prefix, destinations, backlog);
      long before = receiver.count();
      gate(ledger, GateAction.RESUME);
      while (receiver.count() == before) {
        Stand.passTime(LOOK);
      }
      long begin = Stand.nanos();
      while (receiver.count() - before < backlog) {
        Stand.passTime(LOOK);
      }
      ThroughputBench.awaitEmpty(database);
      return backlog / ((Stand.nanos() - begin) / 1e9);
    }
  }

  private static void pileUp(Stand stand, String prefix, int destinations, int backlog)
      throws Exception {
    Stand.Loading load =
        stand.startLoad(
            List.of(
                "--prefix=" + prefix,
                "--destinations=" + destinations,
                "--events=" + backlog,
                "--outstanding=" + backlog,
                "--log=" + stand.folder().resolve("backlog")));
    long accepted = load.result().path("accepted").asLong();
    if (accepted != backlog) {
      throw new IOException("only %d of %d events were accepted".formatted(accepted, backlog));
    }
  }

  private static void gate(PostgresLedger ledger, GateAction action) {
    BudgetRule reopened =
        (id, state, now) ->
            Budget.reopen(
                Objects.requireNonNull(state),
                BudgetSettings.DEFAULT.withRate(1e6, 1_000_000),
                now);
    ledger.changeGate(new GateScope.OfTenant(Stand.TENANT), action, BY, reopened);
  }
}
