package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateChange;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.audit.AuditLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;

/**
 * Gates: one row says for a destination, a tenant or everything whether anything may go. Changes
 * are serialised by the row of the installation, which also counts them.
 */
final class Gates {
  private final Pool pool;
  private final int shards;

  Gates(Pool pool, int shards) {
    this.pool = pool;
    this.shards = shards;
  }

  GateChange change(GateScope scope, GateAction action, Audit by, BudgetRule reopened) {
    GateTable table = GateTable.of(scope, shards);
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          lockChanges(handle);
          GateFlags before = table.lock(handle);
          Instant now = pool.now(handle);
          GateFlags after = before.after(action, now);
          boolean changed = !after.equals(before);
          if (changed) {
            table.write(handle, after);
            countChange(handle);
            tell(handle, table, action, by, now);
            if (GateFlags.reopens(action)) {
              reopen(handle, table, reopened, now);
            }
          }
          return new GateChange(changed, after.gateNo());
        });
  }

  /** Closes a destination's gate if its budget, under its lock, still says so. */
  OptionalLong follow(
      String destinationId, GateAction action, Audit by, Predicate<BudgetState> still) {
    GateTable table = GateTable.of(new GateScope.OfDestination(destinationId), shards);
    return pool.transaction(
        Use.LOOP,
        handle -> {
          HotPath.enter(handle);
          lockChanges(handle);
          Optional<GateFlags> before = table.lockIfThere(handle);
          LockedBudgets locked = LockedBudgets.lock(handle, table.shard(), List.of(destinationId));
          if (before.isEmpty() || !locked.states().values().stream().allMatch(still)) {
            return OptionalLong.empty();
          }
          Instant now = pool.now(handle);
          GateFlags after = before.get().after(action, now);
          if (!after.equals(before.get())) {
            table.write(handle, after);
            countChange(handle);
            tell(handle, table, action, by, now);
          }
          return OptionalLong.of(inForce(handle, table.shard(), destinationId));
        });
  }

  /** Who did what and why: for the audit, and for whoever asks why something waits. */
  private static void tell(
      Handle handle, GateTable table, GateAction action, Audit by, Instant now) {
    audit(handle, now, by, action, table);
    GateCauses.write(handle, table, action, by, now);
  }

  private static long inForce(Handle handle, int shard, String destinationId) {
    return handle
        .createQuery(
            """
            select gate_no
            from penstock.gate
            where shard = :shard and destination_id = :destination
            """)
        .bind("shard", shard)
        .bind("destination", destinationId)
        .mapTo(Long.class)
        .one();
  }

  private static void audit(
      Handle handle, Instant now, Audit by, GateAction action, GateTable table) {
    String word = "gate." + action.name().toLowerCase(Locale.ROOT);
    String destination = table.destination();
    String tenant =
        destination == null
            ? table.tenant()
            : AuditLog.tenantOf(handle, table.shard(), destination);
    AuditLog.write(handle, now, by, new AuditLog.Line(word, table.name(), tenant, table.kind()));
  }

  /** The first lock of every change of a gate: such changes go one at a time. */
  static void lockChanges(Handle handle) {
    handle
        .createQuery("select true from penstock.installation for no key update")
        .mapTo(Boolean.class)
        .one();
  }

  /** Lets the nodes see that something changed. */
  static void countChange(Handle handle) {
    handle.execute("update penstock.installation set changes = changes + 1");
  }

  /** Applies the rule to all budgets behind the gate, under their locks. */
  private static void reopen(Handle handle, GateTable table, BudgetRule rule, Instant now) {
    behind(handle, table)
        .forEach((shard, destinations) -> {
          LockedBudgets locked = LockedBudgets.lock(handle, shard, destinations);
          SortedMap<String, BudgetState> after = new TreeMap<>(locked.states());
          after.replaceAll((id, state) -> rule.apply(id, state, now));
          locked.write(handle, shard, after);
        });
  }

  /** Destinations behind the gate, by shard. */
  private static SortedMap<Integer, List<String>> behind(Handle handle, GateTable table) {
    SortedMap<Integer, List<String>> behind = new TreeMap<>();
    table
        .bind(
            handle.createQuery(
                """
                select shard, destination_id
                from penstock.destination
                where (:tenant::text is null or tenant_id = :tenant)
                  and (:destination::text is null
                    or (shard = :shard and destination_id = :destination))
                """))
        .map((row, context) -> Map.entry(row.getInt("shard"), row.getString("destination_id")))
        .forEach(entry ->
            behind
                .computeIfAbsent(entry.getKey(), shard -> new ArrayList<>())
                .add(entry.getValue()));
    return behind;
  }

  long version() {
    return pool.read(
        Use.LOOP,
        handle ->
            handle
                .createQuery("select changes from penstock.installation")
                .mapTo(Long.class)
                .one());
  }

  Map<String, Long> numbers(Collection<String> destinationIds) {
    int[] in = destinationIds.stream().mapToInt(id -> Shard.of(id, shards)).distinct().toArray();
    return pool.read(
        Use.LOOP,
        handle -> {
          Map<String, Long> numbers = new HashMap<>();
          handle
              .createQuery(
                  """
                  select destination_id, gate_no
                  from penstock.gate
                  where shard = any(:shards) and destination_id = any(:destinations)
                  """)
              .bind("shards", Bind.ints(in))
              .bind("destinations", Bind.texts(destinationIds))
              .map((row, context) -> Map.entry(row.getString(1), row.getLong(2)))
              .forEach(entry -> numbers.put(entry.getKey(), entry.getValue()));
          return numbers;
        });
  }
}
