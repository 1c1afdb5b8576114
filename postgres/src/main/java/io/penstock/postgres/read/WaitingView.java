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
 * @param causes who closed which of the three gates
 * @param delivery the delivery that was asked about; null when only the destination was
 * @param ahead what goes before that delivery, in the order of service
 */
public record WaitingView(
    Instant now,
    DestinationView destination,
    GateView everything,
    GateView tenant,
    List<CauseView> causes,
    List<Head> heads,
    @Nullable DeliveryView delivery,
    List<Ahead> ahead) {
  /** How far what goes before a delivery is counted, in each lane and urgency. */
  public static final int MOST_AHEAD = 10_000;

  /** How many of a lane and urgency go first, counted up to {@link #MOST_AHEAD}. */
  public record Ahead(Lane lane, Urgency urgency, int count) {}

  /** The first in line of a lane. */
  public record Head(Lane lane, Urgency urgency, Instant notBefore, Instant ageFrom) {
    /** How long it has been waiting at {@code now}; negative = not due yet. */
    public Duration waited(Instant now) {
      return Duration.between(notBefore, now);
    }
  }
}
