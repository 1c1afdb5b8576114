package io.penstock.engine.settle;

import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.Reason;

/**
 * What an outcome does to its delivery: the delivery column of the outcome matrix. Its budget
 * column is {@link io.penstock.budget.BudgetEffect}. One table, one method, one test.
 */
enum DeliveryEffect {
  /** It is delivered. */
  DELIVERED,
  /** Back to its lane and place; no attempt is spent. */
  KEEPS_PLACE,
  /** An attempt is spent; it waits on the retry lane. */
  RETRIES,
  /** As RETRIES, but it may have arrived: the destination may want it on the shelf. */
  MAY_HAVE_ARRIVED,
  /** Dead at once, unless this rejection made the budget hold the destination. */
  REJECTED,
  /** As RETRIES after a longer time, and dead from the third attempt on. */
  REFUSED,
  /** Dead at once with its reason; an attempt is spent. */
  DIES,
  /** Dead at once with its reason; nothing was sent, so no attempt is spent. */
  DIES_UNSENT;

  static DeliveryEffect of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Delivered _ -> DELIVERED;
      case Outcome.Throttled _ -> KEEPS_PLACE;
      case Outcome.Transient _ -> RETRIES;
      case Outcome.Unknown _ -> MAY_HAVE_ARRIVED;
      case Outcome.Rejected _ -> REJECTED;
      case Outcome.Unauthorised _ -> REFUSED;
      case Outcome.Gone _ -> DIES;
      case Outcome.Unsendable _ -> DIES_UNSENT;
      case Outcome.Misconfigured _ -> KEEPS_PLACE;
      case Outcome.Ours _ -> KEEPS_PLACE;
    };
  }

  /** The reason with which an outcome's delivery dies, when it dies at once. */
  static Reason reasonOf(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Rejected _ -> Reason.REJECTED;
      case Outcome.Unauthorised _ -> Reason.UNAUTHORISED;
      case Outcome.Gone _ -> Reason.GONE;
      case Outcome.Unknown _ -> Reason.OUTCOME_UNKNOWN;
      case Outcome.Unsendable o ->
          o.detail().equals(Reason.BODY_TOO_LARGE.word())
              ? Reason.BODY_TOO_LARGE
              : Reason.FORBIDDEN_HEADER;
      case Outcome.Delivered _ -> throw notAnEnd(outcome);
      case Outcome.Throttled _ -> throw notAnEnd(outcome);
      case Outcome.Transient _ -> throw notAnEnd(outcome);
      case Outcome.Misconfigured _ -> throw notAnEnd(outcome);
      case Outcome.Ours _ -> throw notAnEnd(outcome);
    };
  }

  private static IllegalArgumentException notAnEnd(Outcome outcome) {
    return new IllegalArgumentException(outcome + " does not end a delivery without success");
  }
}
