package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.SettleRules.LockedBudget;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settled.Applied;
import io.penstock.engine.ledger.Settlement;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Results;
import io.penstock.postgres.partition.Partitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Settles: lock budgets, decide, move what is still leased, feed, write back. */
final class Settles {
  private final Pool pool;
  private final Partitions partitions;
  private final HotPathSql sql;

  Settles(Pool pool, Partitions partitions, HotPathSql sql) {
    this.pool = pool;
    this.partitions = partitions;
    this.sql = sql;
  }

  Settled settle(int shard, List<Settlement> batch, SettleRules rules) {
    if (batch.isEmpty()) {
      return new Settled(pool.read(Use.LOOP, pool::now), List.of(), List.of());
    }
    return partitions.onDemand(
        List.of(), () -> pool.transaction(Use.LOOP, handle -> settle(handle, shard, batch, rules)));
  }

  private Settled settle(Handle handle, int shard, List<Settlement> batch, SettleRules rules) {
    Locked locked = lock(handle, shard, batch);
    return book(handle, shard, locked, batch, rules);
  }

  /** Decides, moves what is still leased, and feeds the budgets, which are locked. */
  Settled book(Handle handle, int shard, Locked locked, List<Settlement> batch, SettleRules rules) {
    List<Move> moves = rules.moves(locked.now(), batch, locked.budgets());
    BitSet booked = move(handle, shard, batch, moves, locked.now());
    List<Applied> applied = new ArrayList<>();
    List<Settlement> fed = new ArrayList<>();
    List<Settlement> stale = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (booked.get(i)) {
        applied.add(new Applied(batch.get(i), moves.get(i)));
        fed.add(batch.get(i));
      } else {
        stale.add(batch.get(i));
      }
    }
    locked.rows().write(handle, shard, rules.feed(locked.now(), fed, locked.budgets()));
    return new Settled(locked.now(), applied, stale);
  }

  /** What a settle knows once it holds its locks; budgets by destination id. */
  record Locked(Instant now, LockedBudgets rows, Map<String, LockedBudget> budgets) {}

  private Locked lock(Handle handle, int shard, List<Settlement> batch) {
    List<String> ids =
        batch.stream().map(one -> one.lease().key().destinationId()).distinct().toList();
    return Results.of(
        handle
            .createQuery(sql.settleLock())
            .bind("shard", shard)
            .bind("destinations", Bind.texts(ids)),
        results -> locked(pool, results));
  }

  /** Reads the settings, the locked budgets, the clock, and whose budgets they are. */
  static Locked locked(Pool pool, Results results) throws SQLException {
    results.next(); // the settings
    LockedBudgets rows = LockedBudgets.read(results.next());
    ResultSet clock = results.next();
    clock.next();
    Instant now = pool.ledgerTime(Bind.instant(clock, "now"));
    return new Locked(now, rows, byDestination(rows, results.next()));
  }

  private static Map<String, LockedBudget> byDestination(LockedBudgets locked, ResultSet rows)
      throws SQLException {
    Map<String, LockedBudget> budgets = new HashMap<>();
    while (rows.next()) {
      String budgetId = rows.getString("budget_id");
      BudgetState state = locked.state(budgetId);
      if (state != null) {
        budgets.put(rows.getString("destination_id"), new LockedBudget(budgetId, state));
      }
    }
    return budgets;
  }

  /** Makes the moves; the places in the batch of those that were made. */
  private BitSet move(
      Handle handle, int shard, List<Settlement> batch, List<Move> moves, Instant now) {
    return Results.of(
        new SettleColumns(batch, moves)
            .bind(handle.createQuery(sql.settle()))
            .bind("shard", shard)
            .bind("now", Bind.time(now))
            .bind("day", LocalDate.ofInstant(now, ZoneOffset.UTC)),
        results -> {
          BitSet booked = new BitSet(batch.size());
          ResultSet rows = results.next();
          while (rows.next()) {
            booked.set(rows.getInt("n") - 1);
          }
          return booked;
        });
  }
}
