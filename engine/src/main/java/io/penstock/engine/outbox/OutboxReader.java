package io.penstock.engine.outbox;

import io.penstock.engine.ledger.NewEvent;

/**
 * Makes an event of a row, by the rules that posted events obey. Must not block. Safe for use by
 * many threads.
 */
@FunctionalInterface
public interface OutboxReader {
  /** Never throws for what stands in the row: that is a refusal. */
  Reading read(OutboxRow row);

  /** What was read. */
  sealed interface Reading {}

  /** An event with an id of its own. */
  record Event(NewEvent event) implements Reading {}

  /** What no event can be made of. */
  record Unfit(OutboxRefusal why) implements Reading {}
}
