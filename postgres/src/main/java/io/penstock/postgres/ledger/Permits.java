package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Stamp;
import io.penstock.budget.permit.Permit;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.PermitLedger.Grant;
import io.penstock.engine.ledger.PermitLedger.PermitEnd;
import io.penstock.engine.ledger.PermitLedger.PermitRules;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Results;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Permits: every row comes and goes under the lock of its destination's budget. */
final class Permits {
  private static final String LOCK = Sql.of(Permits.class, "permit_lock.sql");

  private final Pool pool;
  private final int shards;

  Permits(Pool pool, int shards) {
    this.pool = pool;
    this.shards = shards;
  }

  Optional<Instant> take(String destinationId, PermitRules rules) {
    int shard = Shard.of(destinationId, shards);
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Optional<Locked> found = lock(handle, shard, destinationId);
          found.ifPresent(locked -> take(handle, shard, destinationId, locked, rules));
          return found.map(Locked::now);
        });
  }

  private static void take(
      Handle handle, int shard, String destinationId, Locked locked, PermitRules rules) {
    BudgetState state =
        endExpired(handle, shard, destinationId, locked.state(), locked.now(), rules).state();
    Grant grant = rules.take(destinationId, state, locked.gate(), locked.now());
    insert(handle, shard, destinationId, grant.permits());
    locked.write(handle, shard, grant.state());
  }

  Optional<String> destination(int shard, String permitId) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select destination_id
                    from penstock.permit
                    where shard = :shard and permit_id = :permit
                    """)
                .bind("shard", shard)
                .bind("permit", permitId)
                .mapTo(String.class)
                .findOne());
  }

  PermitEnd end(int shard, String permitId, PermitRules rules) {
    String destinationId = destination(shard, permitId).orElse(null);
    if (destinationId == null) {
      return PermitEnd.ENDED_BEFORE;
    }
    return pool.transaction(
        Use.CALLER, handle -> end(handle, shard, destinationId, permitId, rules));
  }

  private PermitEnd end(
      Handle handle, int shard, String destinationId, String permitId, PermitRules rules) {
    Optional<Locked> found = lock(handle, shard, destinationId);
    Optional<Row> row = found.flatMap(_ -> delete(handle, shard, permitId));
    if (row.isEmpty()) {
      return PermitEnd.ENDED_BEFORE;
    }
    Locked locked = found.orElseThrow();
    Row permit = row.get();
    boolean expired = rules.mayExpire() && !permit.expiresAt().isAfter(locked.now());
    locked.write(
        handle,
        shard,
        expired
            ? rules.expired(destinationId, locked.state(), permit.stamp(), locked.now())
            : rules.ended(destinationId, locked.state(), permit.stamp(), locked.now()));
    return expired ? PermitEnd.EXPIRED : PermitEnd.BOOKED;
  }

  int expire(int shard, int mostDestinations, PermitRules rules) {
    if (!rules.mayExpire()) {
      return 0;
    }
    int ended = 0;
    for (String destinationId : withExpired(shard, mostDestinations)) {
      ended +=
          pool.transaction(
              Use.CALLER,
              handle -> {
                Optional<Locked> found = lock(handle, shard, destinationId);
                return found
                    .map(locked -> expire(handle, shard, destinationId, locked, rules))
                    .orElse(0);
              });
    }
    return ended;
  }

  private static int expire(
      Handle handle, int shard, String destinationId, Locked locked, PermitRules rules) {
    Ended ended = endExpired(handle, shard, destinationId, locked.state(), locked.now(), rules);
    locked.write(handle, shard, ended.state());
    return ended.count();
  }

  /** In the order of the index of ends, which is short: what is looked at has expired. */
  private List<String> withExpired(int shard, int most) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select distinct destination_id
                    from (
                      select destination_id
                      from penstock.permit
                      where shard = :shard and expires_at <= :now
                      order by expires_at
                      limit :most) p
                    """)
                .bind("shard", shard)
                .bind("now", Bind.time(pool.now(handle)))
                .bind("most", most)
                .mapTo(String.class)
                .list());
  }

  /** What a transaction knows once it holds the lock of one budget. */
  private record Locked(
      Instant now, LockedBudgets budgets, String budgetId, BudgetState state, Gate gate) {

    /** Writes the budget when it is another than before. */
    @SuppressWarnings("ReferenceEquality") // an unchanged state is the same object
    void write(Handle handle, int shard, BudgetState after) {
      if (after != state) {
        budgets.write(handle, shard, Map.of(budgetId, after));
      }
    }
  }

  private Optional<Locked> lock(Handle handle, int shard, String destinationId) {
    return Results.of(
        handle
            .createQuery(LOCK)
            .bind("shard", shard)
            .bind("destinations", Bind.texts(List.of(destinationId))),
        results -> {
          results.next(); // the settings
          LockedBudgets budgets = LockedBudgets.read(results.next());
          ResultSet clock = results.next();
          clock.next();
          Instant now = pool.ledgerTime(Bind.instant(clock, "now"));
          ResultSet gate = results.next();
          if (!gate.next()) {
            return Optional.empty();
          }
          String budgetId = gate.getString("budget_id");
          BudgetState state = budgets.state(budgetId);
          return state == null
              ? Optional.empty()
              : Optional.of(new Locked(now, budgets, budgetId, state, GateRows.inForce(gate)));
        });
  }

  /** A permit's row. */
  private record Row(Stamp stamp, Instant expiresAt) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          new Stamp(row.getLong("generation"), row.getBoolean("probe"), false, false),
          Bind.instant(row, "expires_at"));
    }
  }

  private static Optional<Row> delete(Handle handle, int shard, String permitId) {
    return handle
        .createQuery(
            """
            delete from penstock.permit
            where shard = :shard and permit_id = :permit
            returning generation, probe, expires_at
            """)
        .bind("shard", shard)
        .bind("permit", permitId)
        .map((row, context) -> Row.read(row))
        .findOne();
  }

  private record Ended(BudgetState state, int count) {}

  private static Ended endExpired(
      Handle handle,
      int shard,
      String destinationId,
      BudgetState before,
      Instant now,
      PermitRules rules) {
    if (!rules.mayExpire()) {
      return new Ended(before, 0);
    }
    List<Row> expired =
        handle
            .createQuery(
                """
                delete from penstock.permit
                where shard = :shard and destination_id = :destination and expires_at <= :now
                returning generation, probe, expires_at
                """)
            .bind("shard", shard)
            .bind("destination", destinationId)
            .bind("now", Bind.time(now))
            .map((row, context) -> Row.read(row))
            .list();
    BudgetState state = before;
    for (Row row : expired) {
      state = rules.expired(destinationId, state, row.stamp(), now);
    }
    return new Ended(state, expired.size());
  }

  private static void insert(Handle handle, int shard, String destinationId, List<Permit> permits) {
    if (permits.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into penstock.permit (shard, permit_id, destination_id, generation, probe,
              expires_at)
            values (:shard, :permit, :destination, :generation, :probe, :expiresAt)
            """);
    for (Permit permit : permits) {
      batch
          .bind("shard", shard)
          .bind("permit", permit.id())
          .bind("destination", destinationId)
          .bind("generation", permit.stamp().generation())
          .bind("probe", permit.stamp().probe())
          .bind("expiresAt", Bind.time(permit.expiresAt()))
          .add();
    }
    batch.execute();
  }
}
