package io.penstock.engine.outbox;

import io.penstock.engine.ledger.Acceptance;
import java.time.Duration;

/** What becomes of a row, by the answer that its event got. */
public sealed interface OutboxEnd {
  /** Longest time that a row is put off at once. */
  Duration LONGEST_DEFERRAL = Duration.ofMinutes(5);

  /** After so many doublings the longest time is reached, whatever was said first. */
  int MOST_DOUBLINGS = 9;

  /** Its event is in the ledger: the row goes. */
  record Expanded() implements OutboxEnd {}

  /** It can become no event as things are: an operator looks at it. */
  record Refused(OutboxRefusal why) implements OutboxEnd {}

  /** There is no room now: it waits so long, and the rows behind it go on. */
  record Later(Duration after) implements OutboxEnd {}

  /**
   * The rule.
   *
   * @param deferrals how often the row was put off before; each doubles the wait
   */
  static OutboxEnd of(Acceptance answer, int deferrals) {
    return switch (answer) {
      case Acceptance.Stored _, Acceptance.Replayed _ -> new Expanded();
      case Acceptance.KeyConflict(var first) ->
          refused(
              OutboxRefusal.Reason.IDEMPOTENCY_KEY_REUSED,
              "the key came before with other bytes, as event " + first);
      case Acceptance.UnknownTenant(String id) ->
          refused(OutboxRefusal.Reason.UNKNOWN_TENANT, "there is no tenant " + id);
      case Acceptance.UnknownDestination(String id) ->
          refused(OutboxRefusal.Reason.UNKNOWN_DESTINATION, "the tenant has no destination " + id);
      case Acceptance.Full full -> new Later(deferral(full.retryAfter(), deferrals));
    };
  }

  private static OutboxEnd refused(OutboxRefusal.Reason reason, String detail) {
    return new Refused(new OutboxRefusal(reason, detail));
  }

  private static Duration deferral(Duration first, int deferrals) {
    Duration wait = first.multipliedBy(1L << Math.min(deferrals, MOST_DOUBLINGS));
    return wait.compareTo(LONGEST_DEFERRAL) > 0 ? LONGEST_DEFERRAL : wait;
  }
}
