package io.penstock.postgres.ledger;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one step of a cancel by filter did, or would do.
 *
 * @param deliveries how many were cancelled, leased ones included
 * @param leased how many of them were being sent: their answers will change nothing
 * @param next where the next step goes on; null = all is done
 */
public record CancelStep(long deliveries, long leased, @Nullable Place next) {

  /** Up to where it came: the last destination and event that it looked at. */
  public record Place(String destinationId, UUID eventId) {}
}
