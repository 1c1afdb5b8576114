package io.penstock.testkit.memory;

import io.penstock.budget.BudgetState;
import io.penstock.budget.permit.Permit;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.CompleteRun;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.AuditSeen;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One row that a transaction wrote. A transaction is the list of its changes. */
public sealed interface Change {

  /** {@code before} is null for a row that is inserted into the hot table. */
  record Delivery(@Nullable DeliveryRow before, DeliveryRow after) implements Change {}

  /** {@code before} is null for a budget that is created. */
  record Budget(String budgetId, @Nullable BudgetState before, BudgetState after)
      implements Change {}

  /** Who holds a job of a tube; {@code after} is null when nobody does any more. */
  record Held(DeliveryKey key, @Nullable HeldJob after) implements Change {}

  /** The last complete run of an item with these artifacts. */
  record Ran(CompleteRun run, Instant completedAt) implements Change {}

  /** An event's bytes, once per shard that delivers it. */
  record Event(int shard, NewEvent event, Instant acceptedAt) implements Change {}

  /** A key that was used, with the answer it got. */
  record Key(IdempotencyKey key, KeyUse use) implements Change {}

  record Attempt(AttemptSeen row) implements Change {}

  record DeadLetter(DeadLetterSeen row) implements Change {}

  record Audited(AuditSeen row) implements Change {}

  record GateChanged(GateScope scope, GateRow after) implements Change {}

  record Tenant(String tenantId) implements Change {}

  record NewDestination(Destination destination) implements Change {}

  /** Its row stays for its history. */
  record DestinationDeleted(String destinationId) implements Change {}

  /** A permit was granted. */
  record PermitTaken(int shard, String destinationId, Permit permit) implements Change {}

  /** A permit ended. */
  record PermitEnded(String permitId) implements Change {}

  /** {@code types} empty = all. */
  record Subscription(String destinationId, Set<String> types) implements Change {}

  /** A redrive as it stands after the transaction; {@code dueAt} = when it wants a step. */
  record Redrive(RedriveTask after, @Nullable Instant dueAt) implements Change {}

  /** A message of a redrive, new or with another outcome. */
  record RedriveEvent(String redriveId, Redrives.Event row) implements Change {}

  /** A schedule as it stands after the transaction; {@code after} is null when it is deleted. */
  record ScheduleKept(String id, @Nullable Schedule after) implements Change {}

  /** An instant of a schedule that came. */
  record Fired(Firing row) implements Change {}

  /** A tenant's idempotency key. */
  record IdempotencyKey(String tenantId, String key) {}

  /** What a key stands for until {@code expiry}. */
  record KeyUse(
      UUID eventId,
      String bodyHash,
      List<Acceptance.Fanned> answer,
      List<Acceptance.Suppressed> suppressed,
      Instant expiry) {}

  /** A gate of one scope; {@code gateNo} counts its changes. */
  record GateRow(
      long gateNo, boolean disabled, boolean paused, boolean held, @Nullable Instant reopenedAt) {
    static final GateRow OPEN = new GateRow(0, false, false, false, null);

    /** The same gate after one more change. */
    GateRow next() {
      return new GateRow(gateNo + 1, disabled, paused, held, reopenedAt);
    }

    /** Why nothing may go, by the order in which reasons are shown; null = open. */
    Gate.@Nullable Closed closed() {
      if (disabled) {
        return Gate.Closed.DISABLED;
      }
      if (paused) {
        return Gate.Closed.PAUSED;
      }
      return held ? Gate.Closed.HELD : null;
    }
  }
}
