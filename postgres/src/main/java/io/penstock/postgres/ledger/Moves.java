package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.postgres.Bind;
import io.penstock.postgres.EventIds;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import io.penstock.postgres.partition.Partitions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Moves of deliveries beside claim and settle: one method each. */
final class Moves {
  private static final String SHELVE = Sql.of(Moves.class, "shelve.sql");
  private static final String CANCEL = Sql.of(Moves.class, "cancel.sql");

  /** How much later than its delivery's age an event id may be: two readings of one clock. */
  private static final Duration ID_SLACK = Duration.ofMinutes(1);

  private final Pool pool;
  private final Partitions partitions;

  Moves(Pool pool, Partitions partitions) {
    this.pool = pool;
    this.partitions = partitions;
  }

  int expire(int shard, String destinationId, Instant agedBefore, int most) {
    return inTransaction(
        Use.LOOP,
        handle -> {
          Optional<Gate> gate = GateRows.find(handle, shard, destinationId);
          if (gate.isEmpty() || !mayExpire(gate.get(), agedBefore)) {
            return 0;
          }
          return shelve(handle, shard, destinationId, Reason.EXPIRED, agedBefore, most);
        });
  }

  /** Nothing expires while a gate is closed; afterwards age counts from the reopening. */
  private static boolean mayExpire(Gate gate, Instant agedBefore) {
    Instant reopened = gate.reopenedAt();
    return gate.closed() == null && (reopened == null || reopened.isBefore(agedBefore));
  }

  int shelve(int shard, String destinationId, Reason reason, int most) {
    return inTransaction(
        Use.LOOP, handle -> shelve(handle, shard, destinationId, reason, Bind.LATEST, most));
  }

  private int shelve(
      Handle handle, int shard, String destination, Reason reason, Instant agedBefore, int most) {
    Instant now = pool.now(handle);
    return handle
        .createUpdate(SHELVE)
        .bind("shard", shard)
        .bind("destination", destination)
        .bind("reason", reason.word())
        .bind("agedBefore", Bind.time(agedBefore))
        .bind("youngest", EventIds.lowest(agedBefore.plus(ID_SLACK)))
        .bind("most", most)
        .bind("now", Bind.time(now))
        .bind("day", day(now))
        .execute();
  }

  boolean cancel(DeliveryKey key, Audit by, BudgetRule freed) {
    return inTransaction(
        Use.CALLER,
        handle -> {
          // The budget before the delivery, in the order of locks, though only a lease needs it.
          LockedBudgets budget =
              LockedBudgets.lock(handle, key.shard(), List.of(key.destinationId()));
          Instant now = pool.now(handle);
          Optional<Jobs.Found> job = Jobs.of(handle, key);
          Optional<Boolean> leased =
              handle
                  .createQuery(CANCEL)
                  .bind("shard", key.shard())
                  .bind("destination", key.destinationId())
                  .bind("event", key.eventId())
                  .bind("now", Bind.time(now))
                  .bind("day", day(now))
                  .mapTo(Boolean.class)
                  .findOne();
          if (leased.isEmpty()) {
            return false;
          }
          if (leased.get()) {
            Map<String, BudgetState> after = new HashMap<>(budget.states());
            after.replaceAll((id, state) ->
                job.map(found -> freed.applyToJob(id, state, found.job(), now))
                    .orElseGet(() -> freed.apply(id, state, now)));
            budget.write(handle, key.shard(), after);
            Jobs.letGo(handle, key.shard(), job.map(Jobs.Found::place).stream().toList());
          }
          audit(handle, now, by, "delivery.cancel", key);
          return true;
        });
  }

  boolean redrive(DeliveryKey key, Audit by) {
    return again(key, DeliveryState.DEAD, by, "delivery.redrive");
  }

  boolean sendAgain(DeliveryKey key, Audit by) {
    return again(key, DeliveryState.DELIVERED, by, "delivery.send_again");
  }

  private boolean again(DeliveryKey key, DeliveryState from, Audit by, String action) {
    return inTransaction(
        Use.CALLER,
        handle -> {
          Instant now = pool.now(handle);
          if (!Again.put(handle, key.shard(), key.destinationId(), key.eventId(), from, now)) {
            return false;
          }
          audit(handle, now, by, action, key);
          return true;
        });
  }

  private <T> T inTransaction(Use use, Pool.Work<T> work) {
    return partitions.onDemand(
        List.of(),
        () ->
            pool.transaction(
                use,
                handle -> {
                  HotPath.enter(handle);
                  return work.with(handle);
                }));
  }

  private static LocalDate day(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC);
  }

  private static void audit(Handle handle, Instant now, Audit by, String action, DeliveryKey key) {
    String subject = key.destinationId() + "/" + key.eventId();
    AuditLog.writeOf(handle, now, by, action, subject, key.shard(), key.destinationId());
  }
}
