package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether every state of a budget that was written is the next that is read under its lock. Of a
 * transaction that failed nobody knows whether it wrote. Guarded by its auditor.
 */
final class BudgetChain {
  private final Map<String, Link> links = new HashMap<>();

  /** What the next reader may find, and who wrote last. */
  private record Link(List<BudgetState> possible, long writer) {}

  /** Read under the lock; null when all is well, or what should have been read. */
  @Nullable List<BudgetState> read(String budgetId, BudgetState state) {
    Link link = links.get(budgetId);
    if (link != null && !link.possible.contains(state)) {
      return link.possible;
    }
    links.put(budgetId, new Link(List.of(state), -1));
    return null;
  }

  /** Written over what was read, if the transaction commits. */
  void written(long transaction, String budgetId, BudgetState state) {
    Link link = links.get(budgetId);
    List<BudgetState> possible =
        link == null ? List.of(state) : List.of(link.possible.getLast(), state);
    links.put(budgetId, new Link(possible, transaction));
  }

  /** This transaction has committed: what it wrote last is what is there, until somebody reads. */
  void committed(long transaction) {
    links.replaceAll((id, link) ->
        link.writer == transaction ? new Link(List.of(link.possible.getLast()), -1) : link);
  }
}
