package io.penstock.postgres.read;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The raw material of "why does it wait, and until when": a destination, its gates and budget, and
 * the heads of its lanes, read together. The sentence is made by the code that schedules.
 *
 * @param now the ledger's time of the reading
 * @param everything the gate of everything
 * @param tenant the gate of its tenant
 * @param heads the first of each lane and urgency that has any, in the order of service
 * @param delivery the delivery that was asked about; null when only the destination was
 * @param ahead how many go before that delivery, up to a bound of 10,000
 */
public record WaitingView(
    Instant now,
    DestinationView destination,
    GateView everything,
    GateView tenant,
    List<Head> heads,
    @Nullable DeliveryView delivery,
    long ahead) {

  /** The first in line of a lane. */
  public record Head(Lane lane, Urgency urgency, Instant notBefore, Instant ageFrom) {
    /** How long it has been waiting at {@code now}; negative = not due yet. */
    public Duration waited(Instant now) {
      return Duration.between(notBefore, now);
    }
  }
}
