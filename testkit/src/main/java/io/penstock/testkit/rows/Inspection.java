package io.penstock.testkit.rows;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import java.util.List;
import java.util.Optional;

/** What a test may look at in a ledger beside its port: the committed rows as they are. */
public interface Inspection {

  /** The delivery as it stands: its row in the hot table, or else the last finished one. */
  Optional<DeliveryRow> delivery(DeliveryKey key);

  /** Its attempts in the order in which they were settled. */
  List<AttemptSeen> attempts(DeliveryKey key);

  /** A destination's shelf, oldest arrival first; arrivals that were redriven stay. */
  List<DeadLetterSeen> deadLetters(String destinationId);

  /** The state of a budget; throws when there is no such budget. */
  BudgetState budget(String budgetId);

  /** All lines of the audit, oldest first. */
  List<AuditSeen> audit();
}
