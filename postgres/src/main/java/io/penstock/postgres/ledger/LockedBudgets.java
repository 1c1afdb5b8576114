package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Results;
import io.penstock.postgres.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The budgets of one shard that a transaction has locked, and where their rows lie. */
final class LockedBudgets {
  private static final String LOCK = Sql.of(LockedBudgets.class, "budget_lock.sql");

  /** The rows lie where they were locked; the new state is looked up, not joined. */
  static final String WRITE =
      """
      update penstock.budget
      set state = (select jsonb_object(:ids, :states)) ->> budget_id
      where ctid = any(cast(:places as tid[])) and shard + 0 = :shard
      """;

  /** In key order, as they were locked. */
  private final SortedMap<String, BudgetState> states = new TreeMap<>();

  private final Map<String, String> places = new HashMap<>();

  private LockedBudgets() {}

  /** Reads the rows of a statement that locks budgets. */
  static LockedBudgets read(ResultSet rows) throws SQLException {
    LockedBudgets locked = new LockedBudgets();
    while (rows.next()) {
      String id = rows.getString("budget_id");
      locked.states.put(id, BudgetState.decode(rows.getString("state")));
      locked.places.put(id, rows.getString("place"));
    }
    return locked;
  }

  /** Locks the budgets of these destinations in key order, waiting for whoever has them. */
  static LockedBudgets lock(Handle handle, int shard, Collection<String> destinations) {
    return Results.of(
        handle
            .createQuery(LOCK)
            .bind("shard", shard)
            .bind("destinations", Bind.texts(destinations)),
        results -> read(results.next()));
  }

  /** The state of a budget; null when it is not among the locked ones. */
  @Nullable BudgetState state(String budgetId) {
    return states.get(budgetId);
  }

  /** By budget, in key order. */
  SortedMap<String, BudgetState> states() {
    return Collections.unmodifiableSortedMap(states);
  }

  /** Writes new states, once per transaction: after that the rows lie elsewhere. */
  void write(Handle handle, int shard, Map<String, BudgetState> changed) {
    if (changed.isEmpty()) {
      return;
    }
    List<String> ids = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    List<String> at = new ArrayList<>();
    changed.forEach((id, state) -> {
      String place = places.get(id);
      if (place == null) {
        throw new IllegalArgumentException("budget " + id + " was not locked");
      }
      ids.add(id);
      texts.add(state.encode());
      at.add(place);
    });
    handle
        .createUpdate(WRITE)
        .bind("shard", shard)
        .bind("ids", Bind.texts(ids))
        .bind("states", Bind.texts(texts))
        .bind("places", Bind.texts(at))
        .execute();
  }
}
