package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Results;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Budget rows under their locks. */
final class Budgets {
  /** The new state is looked up: to join the two lists could be planned as a quadratic loop. */
  static final String WRITE =
      """
      update penstock.budget
      set state = (select jsonb_object(:ids, :states)) ->> budget_id
      where shard = :shard and budget_id = any(:ids)
      """;

  private Budgets() {}

  /** States by budget id. */
  static Map<String, BudgetState> read(ResultSet rows) throws SQLException {
    Map<String, BudgetState> states = new LinkedHashMap<>();
    while (rows.next()) {
      states.put(rows.getString("budget_id"), BudgetState.decode(rows.getString("state")));
    }
    return states;
  }

  /** Locks the budgets of these destinations in key order, waiting for whoever has them. */
  static Map<String, BudgetState> lock(Handle handle, int shard, Collection<String> destinations) {
    return Results.of(
        handle
            .createQuery(
                """
                select budget_id, state
                from penstock.budget
                where shard = :shard and budget_id = any(array(
                  select budget_id from penstock.destination
                  where shard = :shard and destination_id = any(:destinations)))
                order by budget_id
                for no key update
                """)
            .bind("shard", shard)
            .bind("destinations", Bind.texts(destinations)),
        results -> read(results.next()));
  }

  /** Writes states of rows that this transaction has locked. */
  static void write(Handle handle, int shard, Map<String, BudgetState> states) {
    if (states.isEmpty()) {
      return;
    }
    List<String> ids = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    states.forEach((id, state) -> {
      ids.add(id);
      texts.add(state.encode());
    });
    handle
        .createUpdate(WRITE)
        .bind("shard", shard)
        .bind("ids", Bind.texts(ids))
        .bind("states", Bind.texts(texts))
        .execute();
  }
}
