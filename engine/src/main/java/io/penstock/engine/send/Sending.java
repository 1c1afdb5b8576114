package io.penstock.engine.send;

import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.limits.OutcomeOverrides;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A leased delivery on its way out.
 *
 * @param gateNo the gate under which it was claimed
 * @param configNo the destination's configuration at the claim
 * @param after spread: how long after the claim came back it goes
 * @param debitedAt the ledger's time of the debit
 * @param debitedNanos the node's monotonic clock at the debit, as near as the node knows
 * @param ageLimit how old it may be
 * @param reopenedAt its age counts from no earlier than this
 * @param deadline for the attempt
 * @param outcomes which statuses mean something else at this destination
 */
public record Sending(
    Leased delivery,
    Stamp stamp,
    long gateNo,
    long configNo,
    Duration after,
    Instant debitedAt,
    long debitedNanos,
    Duration ageLimit,
    @Nullable Instant reopenedAt,
    Duration deadline,
    OutcomeOverrides outcomes) {

  /** Whether its age limit has passed. */
  boolean expired() {
    Instant from = delivery.ageFrom();
    if (reopenedAt != null && reopenedAt.isAfter(from)) {
      from = reopenedAt;
    }
    return debitedAt.isAfter(from.plus(ageLimit));
  }
}
