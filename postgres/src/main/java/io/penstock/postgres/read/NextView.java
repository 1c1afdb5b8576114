package io.penstock.postgres.read;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Urgency;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The heads of some destinations' lines, and what decides over them.
 *
 * @param now the ledger's time of the reading
 * @param lines of the destinations that have anything waiting
 * @param complete false when there are more destinations than were looked at
 */
public record NextView(Instant now, List<Line> lines, boolean complete) {

  /**
   * One destination's.
   *
   * @param first the first of each lane and urgency, in the order of service
   */
  public record Line(DestinationView destination, List<Place> first) {}

  /** A delivery that waits. */
  public record Place(
      UUID eventId, Lane lane, Urgency urgency, int attempts, Instant notBefore, Instant ageFrom) {}
}
