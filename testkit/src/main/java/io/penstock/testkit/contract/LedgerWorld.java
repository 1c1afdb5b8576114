package io.penstock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.testing.TestClock;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.event.Header;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.Freshness;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.recurring.Schedules;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.rows.DeliveryRow;
import io.penstock.testkit.rows.Inspection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A fresh ledger with the tenant {@code acme}, and short ways to the things that tests need. */
public final class LedgerWorld {
  /** A budget that never stands in the way. */
  public static final BudgetSettings WIDE =
      new BudgetSettings(100_000, 100_000, 10_000, Duration.ofSeconds(15));

  /** How long the leases of {@link #claim} last. */
  public static final Duration LEASE = Duration.ofSeconds(20);

  static final String TENANT = "acme";
  static final Audit BY = new Audit("key:test", "because");
  static final String NODE = "node-1";

  /** Free slots and bytes that never bind. */
  static final int ALL = 1_000;

  static final long ALL_BYTES = 1L << 30;

  public final Ledger ledger;
  public final Redrives redrives;
  public final Schedules schedules;
  public final Inspection inspect;
  public final TestClock clock;
  private final AtomicLong lastEvent = new AtomicLong();

  LedgerWorld(LedgerUnderTest under) {
    ledger = under.ledger();
    redrives = under.redrives();
    schedules = under.schedules();
    inspect = under.inspect();
    clock = under.clock();
    assertThat(ledger.createTenant(TENANT, "Acme", BY)).isTrue();
  }

  static BudgetRule budget(BudgetSettings settings) {
    return (budgetId, state, now) -> BudgetState.initial(settings, budgetId.hashCode(), now);
  }

  /** A destination of {@code acme} with a wide budget of its own. */
  Destination destination(String id) {
    return destination(id, TENANT, WIDE);
  }

  Destination destination(String id, String tenant, BudgetSettings settings) {
    return ledger
        .createDestination(describe(id, tenant, id), budget(settings), BY)
        .orElseThrow(() -> new AssertionError("destination id " + id + " is taken"));
  }

  static Destination describe(String id, String tenant, String budgetId) {
    return new Destination(
        id,
        0,
        tenant,
        Destination.Mode.PUSH,
        "http://127.0.0.1:9/" + id,
        List.of(),
        List.of(),
        budgetId,
        1);
  }

  /** So many destinations that lie in one shard, in the order of their making. */
  List<Destination> neighbours(int count) {
    List<Destination> found = new ArrayList<>();
    for (int i = 0; found.size() < count; i++) {
      Destination made = destination("dst_n" + i);
      if (found.isEmpty() || made.shard() == found.getFirst().shard()) {
        found.add(made);
      }
    }
    return found;
  }

  /** A UUIDv7 of the clock's time; ascending. */
  UUID eventId() {
    long nth = lastEvent.incrementAndGet();
    long millis = clock.instant().toEpochMilli();
    return new UUID((millis << 16) | 0x7000 | (nth >>> 12 & 0xfff), 0x8000_0000_0000_0000L | nth);
  }

  NewEvent event(String... destinationIds) {
    return event(Urgency.INTERACTIVE, "{}".getBytes(StandardCharsets.UTF_8), null, destinationIds);
  }

  NewEvent event(
      Urgency urgency, byte[] body, @Nullable String idempotencyKey, String... destinationIds) {
    return new NewEvent(
        eventId(),
        TENANT,
        "order.paid",
        "application/json",
        List.of(new Header("X-Kept-Case", "Yes")),
        body,
        urgency,
        idempotencyKey,
        List.of(destinationIds));
  }

  static NewEvent ofTenant(NewEvent event, String tenant) {
    return new NewEvent(
        event.eventId(),
        tenant,
        event.type(),
        event.contentType(),
        event.headers(),
        event.body(),
        event.urgency(),
        event.idempotencyKey(),
        event.destinationIds());
  }

  /** The same event, about this item. */
  static NewEvent about(NewEvent event, String item) {
    return new NewEvent(
        event.eventId(),
        event.tenantId(),
        event.type(),
        event.contentType(),
        event.headers(),
        event.body(),
        event.urgency(),
        event.idempotencyKey(),
        event.destinationIds(),
        item);
  }

  /** The same event, which need not go where this item is fresh. */
  static NewEvent unlessFresh(NewEvent event, String item, Duration within, String... requires) {
    return new NewEvent(
        event.eventId(),
        event.tenantId(),
        event.type(),
        event.contentType(),
        event.headers(),
        event.body(),
        event.urgency(),
        event.idempotencyKey(),
        event.destinationIds(),
        item,
        new Freshness(within, List.of(requires)),
        null);
  }

  Acceptance accept(NewEvent event) {
    return ledger.accept(List.of(event)).getFirst();
  }

  /** One more delivery for this destination; its key. */
  DeliveryKey deliver(Destination destination) {
    return deliver(destination, Urgency.INTERACTIVE);
  }

  DeliveryKey deliver(Destination destination, Urgency urgency) {
    return deliver(destination, urgency, new byte[] {'{', '}'});
  }

  DeliveryKey deliver(Destination destination, Urgency urgency, byte[] body) {
    NewEvent event = event(urgency, body, null, destination.id());
    assertThat(accept(event)).isInstanceOf(Acceptance.Stored.class);
    return new DeliveryKey(destination.shard(), destination.id(), event.eventId());
  }

  ClaimRequest request(Destination... destinations) {
    return request(ALL, ALL_BYTES, destinations);
  }

  ClaimRequest request(int most, long bytes, Destination... destinations) {
    List<String> ids = new ArrayList<>();
    for (Destination destination : destinations) {
      ids.add(destination.id());
    }
    return new ClaimRequest(destinations[0].shard(), ids, NODE, most, bytes);
  }

  /** Claims everything that is due for these neighbours. */
  Claim claim(Destination... destinations) {
    return claim(TestingClaimRules.everything(WIDE), destinations);
  }

  Claim claim(ClaimRules rules, Destination... destinations) {
    return ledger.claim(request(destinations), rules);
  }

  /** Claims the only delivery that is due for this destination. */
  Leased claimOne(Destination destination) {
    List<Leased> leased = claim(destination).leased();
    assertThat(leased).hasSize(1);
    return leased.getFirst();
  }

  /** A delivery that waits on the retry lane, due now. */
  DeliveryKey retrying(Destination destination, Urgency urgency) {
    DeliveryKey key = deliver(destination, urgency);
    settleOnly(destination, key, TestingSettleRules.retryAt(now()));
    return key;
  }

  /** A delivery that lies on the shelf. */
  DeliveryKey dead(Destination destination) {
    DeliveryKey key = deliver(destination);
    settleOnly(destination, key, TestingSettleRules.dies());
    return key;
  }

  /** A delivery that has succeeded. */
  DeliveryKey delivered(Destination destination) {
    DeliveryKey key = deliver(destination);
    settleOnly(destination, key, TestingSettleRules.delivers());
    return key;
  }

  /** Claims all that is due, settles this one, hands the rest back. */
  private void settleOnly(Destination destination, DeliveryKey key, TestingSettleRules rules) {
    for (Leased lease : claim(destination).leased()) {
      boolean it = lease.key().equals(key);
      ledger.settle(
          destination.shard(),
          List.of(it ? Settling.ended(lease) : Settling.handedBack(lease)),
          it ? rules : TestingSettleRules.keepsPlace());
    }
  }

  /** The row as it stands; there must be one. */
  DeliveryRow row(DeliveryKey key) {
    return inspect.delivery(key).orElseThrow(() -> new AssertionError("no row " + key));
  }

  int inFlight(Destination destination) {
    return inspect.budget(destination.budgetId()).inFlight();
  }

  Instant now() {
    return clock.instant();
  }

  static List<DeliveryKey> keys(List<Leased> leased) {
    return leased.stream().map(Leased::key).toList();
  }
}
