package io.penstock.engine.ledger;

import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job of a tube while a worker holds its lease, and what that lease was charged so far.
 *
 * @param lease of its event's content only the item is there when it is read back
 * @param worker the name that the worker gave itself; for people, never a fence
 * @param poolId the pool that it named; null = it named its tubes
 * @param heldFrom when it was leased; renewals do not move it
 * @param charged worker-time charged so far; zero for unmetered tubes and lent jobs
 * @param lent whether it runs on what the pool had to spare
 * @param generation of the budget when it was leased
 * @param probe whether it is the probe of a parked budget
 */
public record HeldJob(
    Leased lease,
    String worker,
    @Nullable String poolId,
    Instant heldFrom,
    Duration charged,
    boolean lent,
    long generation,
    boolean probe) {

  /** How long it has been held; never negative. */
  public Duration heldAt(Instant now) {
    return now.isAfter(heldFrom) ? Duration.between(heldFrom, now) : Duration.ZERO;
  }

  /** What its feedback carries. */
  public Stamp stamp() {
    return new Stamp(
        generation, probe, lease.lane() == Lane.RETRY, lease.urgency() == Urgency.BATCH);
  }
}
