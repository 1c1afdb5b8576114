package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import io.penstock.postgres.partition.Partitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Cancels what waits, by filter: destination after destination, in small batches, each a
 * transaction with its line in the audit. Safe for use by many threads.
 */
public final class Cancels {
  private static final String SOME = Sql.of(Cancels.class, "cancel_some.sql");
  private static final String COUNT = Sql.of(Cancels.class, "cancel_count.sql");

  /** Deliveries that a batch looks at, while it holds the destination's budget: milliseconds. */
  private static final int BATCH = 1_000;

  private static final UUID FIRST = new UUID(0, 0);

  private final Pool pool;
  private final Partitions partitions;
  private final LongSupplier nanoClock;

  public Cancels(Pool pool, LongSupplier nanoClock) {
    this.pool = pool;
    this.partitions = new Partitions(pool);
    this.nanoClock = nanoClock;
  }

  /**
   * Works from {@code after} (null = from the start) for about {@code budget}.
   *
   * @param by who and why; null = only count
   * @param freed gives a budget a slot back, for each delivery that was being sent
   */
  public CancelStep step(
      CancelFilter filter,
      CancelStep.@Nullable Place after,
      @Nullable Audit by,
      BudgetRule freed,
      Duration budget) {
    String one = filter.destinationId();
    if (one != null && after != null && !after.destinationId().equals(one)) {
      throw new IllegalArgumentException(
          "the place lies in %s, the filter names %s".formatted(after.destinationId(), one));
    }
    long started = nanoClock.getAsLong();
    long deliveries = 0;
    long leased = 0;
    String destination = after == null ? "" : after.destinationId();
    UUID event = after == null ? FIRST : after.eventId();
    Optional<String> at = after == null ? next(filter, "") : Optional.of(destination);
    while (at.isPresent()) {
      if (nanoClock.getAsLong() - started >= budget.toNanos()) {
        return new CancelStep(deliveries, leased, new CancelStep.Place(at.get(), event));
      }
      Batch batch = batch(filter, at.get(), event, by, freed);
      deliveries += batch.deliveries();
      leased += batch.leased();
      if (batch.last() == null) {
        at = next(filter, at.get());
        event = FIRST;
      } else {
        event = batch.last();
      }
    }
    return new CancelStep(deliveries, leased, null);
  }

  /** What a batch found; {@code last} null = nothing more of this destination. */
  private record Batch(long deliveries, long leased, @Nullable UUID last) {
    static Batch read(ResultSet row) throws SQLException {
      return new Batch(
          row.getLong("deliveries"), row.getLong("leased"), row.getObject("last", UUID.class));
    }
  }

  private Batch batch(
      CancelFilter filter, String destination, UUID after, @Nullable Audit by, BudgetRule freed) {
    return partitions.onDemand(
        List.of(),
        () ->
            pool.transaction(
                Use.CALLER,
                handle -> {
                  HotPath.enter(handle);
                  return by == null
                      ? count(handle, filter, destination, after)
                      : cancel(handle, filter, destination, after, by, freed);
                }));
  }

  private Batch count(Handle handle, CancelFilter filter, String destination, UUID after) {
    return handle
        .createQuery(COUNT)
        .bind("shard", Shard.of(destination, pool.shards()))
        .bind("destination", destination)
        .bind("after", after)
        .bind("tenant", filter.tenantId())
        .bind("type", filter.eventType())
        .bind("agedBefore", Bind.time(agedBefore(filter)))
        .bind("most", BATCH)
        .map((row, context) -> Batch.read(row))
        .one();
  }

  private Batch cancel(
      Handle handle,
      CancelFilter filter,
      String destination,
      UUID after,
      Audit by,
      BudgetRule freed) {
    int shard = Shard.of(destination, pool.shards());
    // The budget before the deliveries, in the order of locks.
    LockedBudgets budget = LockedBudgets.lock(handle, shard, List.of(destination));
    Instant now = pool.now(handle);
    Batch done =
        handle
            .createQuery(SOME)
            .bind("shard", shard)
            .bind("destination", destination)
            .bind("after", after)
            .bind("tenant", filter.tenantId())
            .bind("type", filter.eventType())
            .bind("agedBefore", Bind.time(agedBefore(filter)))
            .bind("most", BATCH)
            .bind("now", Bind.time(now))
            .bind("day", LocalDate.ofInstant(now, ZoneOffset.UTC))
            .map((row, context) -> Batch.read(row))
            .one();
    if (done.leased() > 0) {
      budget.write(handle, shard, freed(budget, done.leased(), freed, now));
    }
    if (done.deliveries() > 0) {
      audit(handle, now, by, filter, destination, shard, done);
    }
    return done;
  }

  private static Map<String, BudgetState> freed(
      LockedBudgets budget, long slots, BudgetRule freed, Instant now) {
    Map<String, BudgetState> after = new HashMap<>(budget.states());
    for (long i = 0; i < slots; i++) {
      after.replaceAll((id, state) -> freed.apply(id, state, now));
    }
    return after;
  }

  private static void audit(
      Handle handle,
      Instant now,
      Audit by,
      CancelFilter filter,
      String destination,
      int shard,
      Batch done) {
    String tenant =
        handle
            .createQuery(
                """
                select tenant_id from penstock.destination
                where shard = :shard and destination_id = :destination
                """)
            .bind("shard", shard)
            .bind("destination", destination)
            .mapTo(String.class)
            .findOne()
            .orElse(null);
    String detail =
        "%d deliveries, %d of them leased; type %s, older than %s"
            .formatted(
                done.deliveries(),
                done.leased(),
                filter.eventType() == null ? "any" : filter.eventType(),
                filter.agedBefore() == null ? "any" : filter.agedBefore());
    AuditLog.write(
        handle, now, by, new AuditLog.Line("delivery.cancel_many", destination, tenant, detail));
  }

  private static Instant agedBefore(CancelFilter filter) {
    Instant at = filter.agedBefore();
    return at == null ? Bind.LATEST : at;
  }

  /** The next destination in id order, deleted ones too: something may wait there still. */
  private Optional<String> next(CancelFilter filter, String after) {
    String one = filter.destinationId();
    if (one != null) {
      return after.isEmpty() ? Optional.of(one) : Optional.empty();
    }
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select destination_id
                    from penstock.destination
                    where tenant_id = :tenant and destination_id > :after
                    order by destination_id
                    limit 1
                    """)
                .bind("tenant", filter.tenantId())
                .bind("after", after)
                .mapTo(String.class)
                .findOne());
  }
}
