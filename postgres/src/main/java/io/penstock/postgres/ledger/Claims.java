package io.penstock.postgres.ledger;

import static java.util.Comparator.comparing;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.destination.Destination.Mode;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.ClaimRules.Asking;
import io.penstock.engine.ledger.ClaimRules.Grant;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Results;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Claims: lock budgets, decide, pick, debit, write back; one transaction in four round trips. */
final class Claims {
  /** Bodies up to this size come with the claim; larger ones are read at send time. */
  static final int INLINE_BYTES = 8 * 1024;

  private final Pool pool;
  private final HotPathSql sql;

  Claims(Pool pool, HotPathSql sql) {
    this.pool = pool;
    this.sql = sql;
  }

  Claim claim(ClaimRequest request, ClaimRules rules) {
    return pool.transaction(Use.LOOP, handle -> claim(handle, request, rules));
  }

  private Claim claim(Handle handle, ClaimRequest request, ClaimRules rules) {
    Locked locked = lock(handle, request);
    List<Grant> grants =
        locked.asking().isEmpty() ? List.of() : rules.decide(locked.now(), locked.asking());
    Picked picked =
        grants.isEmpty() || request.mostDeliveries() <= 0
            ? Picked.NOTHING
            : pick(handle, request, grants, locked.now());
    locked.budgets().write(handle, request.shard(), rules.debit(locked.now(), picked.leased()));
    Jobs.hold(handle, request.shard(), rules.held(locked.now(), picked.leased()));
    return new Claim(
        locked.now(), picked.leased(), picked.counts(), locked.skipped(), locked.absent());
  }

  /** What a claim knows once it holds its locks. */
  private record Locked(
      Instant now,
      LockedBudgets budgets,
      List<Asking> asking,
      Set<String> skipped,
      Set<String> absent) {}

  private Locked lock(Handle handle, ClaimRequest request) {
    return Results.of(
        handle
            .createQuery(sql.claimLock())
            .bind("shard", request.shard())
            .bind("destinations", Bind.texts(request.destinationIds())),
        results -> {
          results.next(); // the settings
          LockedBudgets budgets = LockedBudgets.read(results.next());
          ResultSet clock = results.next();
          clock.next();
          Instant now = pool.ledgerTime(Bind.instant(clock, "now"));
          return locked(now, request.destinationIds(), budgets, results.next());
        });
  }

  private static Locked locked(
      Instant now, List<String> asked, LockedBudgets budgets, ResultSet gates) throws SQLException {
    Map<String, Asking> found = new HashMap<>();
    Set<String> skipped = new HashSet<>();
    while (gates.next()) {
      String id = gates.getString("destination_id");
      String budgetId = gates.getString("budget_id");
      BudgetState state = budgets.state(budgetId);
      if (state == null) {
        skipped.add(id);
      } else {
        Gate gate = GateRows.inForce(gates);
        found.put(
            id,
            new Asking(
                id,
                Mode.valueOf(gates.getString("mode").toUpperCase(Locale.ROOT)),
                gates.getLong("config_no"),
                gate,
                budgetId,
                state));
      }
    }
    List<Asking> asking = new ArrayList<>();
    Set<String> absent = new HashSet<>();
    for (String id : asked) {
      Asking one = found.get(id);
      if (one != null) {
        asking.add(one);
      } else if (!skipped.contains(id)) {
        absent.add(id);
      }
    }
    return new Locked(now, budgets, asking, skipped, absent);
  }

  /** What the pick brought; {@code counts} are of what it saw. */
  private record Picked(List<Leased> leased, Map<String, Integer> counts) {
    static final Picked NOTHING = new Picked(List.of(), Map.of());
  }

  private Picked pick(Handle handle, ClaimRequest request, List<Grant> grants, Instant now) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    grants.forEach(grant -> counts.put(grant.destinationId(), 0));
    List<Leased> leased =
        Results.of(
            handle
                .createQuery(sql.claimPick())
                .bind("shard", request.shard())
                .bind("now", Bind.time(now))
                .bind("quiet", Bind.time(WaitingFrom.quiet(now)))
                .bind("node", request.node())
                .bind("mostDeliveries", request.mostDeliveries())
                .bind("mostBytes", request.mostBytes())
                .bind("inlineBytes", INLINE_BYTES)
                .bind(
                    "destinations", Bind.texts(grants.stream().map(Grant::destinationId).toList()))
                .bind("most", Bind.ints(grants.stream().mapToInt(Grant::most).toArray()))
                .bind(
                    "mostRetries",
                    Bind.ints(grants.stream().mapToInt(Grant::mostRetries).toArray()))
                .bind("mostBatch", Bind.ints(grants.stream().mapToInt(Grant::mostBatch).toArray()))
                .bind(
                    "leaseMicros",
                    Bind.longs(
                        grants.stream().mapToLong(g -> g.lease().toNanos() / 1000).toArray())),
            results -> {
              List<Leased> read = new ArrayList<>();
              ResultSet rows = results.next();
              while (rows.next()) {
                int picked = rows.getInt("picked");
                if (picked > 0) {
                  counts.put(rows.getString("destination_id"), picked);
                } else {
                  read.add(LeasedRows.read(request.shard(), rows));
                }
              }
              return read;
            });
    leased.sort(sendOrder(grants));
    return new Picked(leased, counts);
  }

  /** First attempts before all others; within each, the grants' order, then the lane's. */
  private static Comparator<Leased> sendOrder(List<Grant> grants) {
    Map<String, Integer> places = new HashMap<>();
    grants.forEach(grant -> places.putIfAbsent(grant.destinationId(), places.size()));
    return comparing((Leased one) -> one.lane() != Lane.FIRST)
        .thenComparingInt(one -> places.getOrDefault(one.key().destinationId(), 0))
        .thenComparing(Leased::lane)
        .thenComparing(Leased::urgency)
        .thenComparing(Leased::notBefore)
        .thenComparingLong(Leased::position);
  }
}
