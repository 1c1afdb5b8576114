package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.budget.testing.TestClock;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.event.Header;
import io.penstock.engine.intake.EventIds;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A ledger without rows on the test clock, and short ways to fill it. There is one at a time, and
 * the pool stays open for the next one.
 *
 * @param ids makes event ids of the test clock's time
 */
public record TestingLedger(PostgresLedger ledger, Pool pool, TestClock clock, EventIds ids) {
  public static final Audit BY = new Audit("key:test", "because");
  public static final String TENANT = "acme";

  /** Empties the database and gives it so many shards and the tenant {@code acme}. */
  public static TestingLedger empty(DatabaseSettings settings, int shards) {
    TestingLedger made = bare(settings, shards);
    made.ledger.createTenant(TENANT, "Acme", BY);
    return made;
  }

  /** Empties the database and gives it so many shards. */
  public static TestingLedger bare(DatabaseSettings settings, int shards) {
    TestClock clock = new TestClock();
    Pool pool = SharedPool.emptied(settings, shards, clock);
    return new TestingLedger(
        PostgresLedger.open(pool), pool, clock, new EventIds(clock, new Random(1)));
  }

  /** A destination of {@code acme}. */
  public Destination destination(String id) {
    return ledger
        .createDestination(
            new Destination(
                id,
                0,
                TENANT,
                Destination.Mode.PUSH,
                "http://127.0.0.1:9/" + id,
                List.of(),
                List.of(),
                id,
                1),
            (budgetId, state, now) -> BudgetState.initial(BudgetSettings.DEFAULT, 1, now),
            BY)
        .orElseThrow();
  }

  /** An event for these destinations. */
  public NewEvent event(String... destinationIds) {
    return new NewEvent(
        ids.next(),
        TENANT,
        "order.paid",
        "application/json",
        List.of(new Header("X-Kept-Case", "Yes")),
        "{}".getBytes(StandardCharsets.UTF_8),
        Urgency.INTERACTIVE,
        null,
        List.of(destinationIds));
  }

  /** One more delivery that waits for a destination. */
  public DeliveryKey deliver(Destination destination) {
    NewEvent event = event(destination.id());
    ledger.accept(List.of(event));
    return new DeliveryKey(destination.shard(), destination.id(), event.eventId());
  }

  /** Leases up to {@code most} deliveries of a destination. */
  public List<Leased> claim(Destination destination, int most) {
    Claim claim =
        ledger.claim(
            new ClaimRequest(
                destination.shard(), List.of(destination.id()), "node-1", most, 1 << 20),
            new OpenRules(most, Duration.ofSeconds(20)));
    return claim.leased();
  }

  /** Ends a lease with a move, and an attempt that was answered with 200. */
  public Settled settle(Leased lease, Move move) {
    OpenRules rules = new OpenRules(1, Duration.ofSeconds(20), move);
    return ledger.settle(lease.key().shard(), List.of(settlement(lease)), rules);
  }

  static Settlement settlement(Leased lease) {
    return new Settlement(
        lease,
        new Feedback.Ended(
            new Stamp(0, false, false, false),
            new Outcome.Delivered(200, "ok", Hint.NONE),
            Duration.ofMillis(5)),
        new Settlement.AttemptRow(
            lease.notBefore(),
            5_000,
            "delivered",
            "ok",
            200,
            new byte[] {1},
            "127.0.0.1",
            "node-1"),
        null);
  }
}
