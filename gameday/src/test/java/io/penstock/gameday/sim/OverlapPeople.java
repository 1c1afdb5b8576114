package io.penstock.gameday.sim;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.node.Node;
import io.penstock.postgres.ledger.SqlInspection;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Producers and operators of an overlapping world. Safe for use by many threads. */
final class OverlapPeople {
  private static final long NO_GENERATION = -1;

  private final OverlappingWorld world;
  private final Ledger ledger;
  private final SqlInspection rows;
  private final OverlapAudit audit;

  OverlapPeople(OverlappingWorld world, Ledger ledger, SqlInspection rows, OverlapAudit audit) {
    this.world = world;
    this.ledger = ledger;
    this.rows = rows;
    this.audit = audit;
  }

  void post(String id, List<Long> numbers, Urgency urgency, int from) {
    OverlappingWorld.Member member = world.someNode(from);
    if (member == null) {
      return;
    }
    List<NewEvent> batch =
        numbers.stream()
            .map(nth ->
                new NewEvent(
                    member.node().intake().newEventId(),
                    Plan.tenantOf(id),
                    "order.paid",
                    "application/json",
                    List.of(),
                    new byte[10],
                    urgency,
                    "key-" + nth,
                    List.of(id)))
            .toList();
    for (Acceptance answer : member.node().intake().accept(batch)) {
      if (answer instanceof Acceptance.Stored stored) {
        int shard = Shard.of(id, ledger.shards());
        audit.promised(new DeliveryKey(shard, id, stored.eventId()));
      }
    }
  }

  void pauseFor(GateScope scope, Duration during) {
    change(scope, GateAction.PAUSE);
    world.at(during, () -> change(scope, GateAction.RESUME));
  }

  void change(GateScope scope, GateAction action) {
    audit.tell("operator", "", action + " " + scope);
    var _ =
        ledger.changeGate(
            scope,
            action,
            World.OPERATOR,
            (budgetId, state, now) ->
                Budget.reopen(Objects.requireNonNull(state), world.settingsOf(budgetId), now));
    world.nodes().forEach(Node::gatesChanged);
  }

  List<DeliveryKey> some(String id, int most) {
    return audit.promised().stream()
        .filter(key -> key.destinationId().equals(id))
        .limit(most)
        .toList();
  }

  void cancel(String id, int most) {
    some(id, 10 * most).stream()
        .filter(key -> rows.delivery(key).filter(DeliveryRow::hot).isPresent())
        .limit(most)
        .forEach(key -> tried(() -> ledger.cancel(key, World.OPERATOR, this::freed)));
  }

  BudgetState freed(String budgetId, @Nullable BudgetState state, Instant now) {
    Stamp stamp = new Stamp(NO_GENERATION, false, false, false);
    return Budget.feed(
        Objects.requireNonNull(state),
        world.settingsOf(budgetId),
        new Feedback.HandedBack(stamp),
        now);
  }

  /** Redrives what is dead and sends again what was delivered. */
  void again(String id, int most) {
    for (DeliveryKey key : some(id, most)) {
      tried(() -> {
        boolean came = ledger.redrive(key, World.OPERATOR) || ledger.sendAgain(key, World.OPERATOR);
        OverlappingWorld.Member member = world.someNode(0);
        if (came && member != null) {
          audit.tell("operator", id, "sends again " + key.eventId());
          member.node().due(List.of(id));
        }
      });
    }
  }

  void reopenEverything() {
    List<GateScope> scopes = new ArrayList<>();
    Plan.TENANTS.forEach(tenant -> scopes.add(new GateScope.OfTenant(tenant)));
    world.destinations().forEach(id -> scopes.add(new GateScope.OfDestination(id)));
    for (GateScope scope : scopes) {
      tried(() -> change(scope, GateAction.RESUME));
      tried(() -> change(scope, GateAction.RELEASE));
    }
  }

  static void tried(Runnable act) {
    try {
      act.run();
    } catch (LedgerException failure) {
      // It may have taken effect or not; nobody was promised anything.
    }
  }
}
