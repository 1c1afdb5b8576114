package io.penstock.postgres.read;

import io.penstock.engine.event.EventContent;
import io.penstock.engine.ledger.Acceptance.Suppressed;
import java.util.List;
import java.util.UUID;

/**
 * An event as people see it.
 *
 * @param content with the body when it was asked for, else without
 * @param sha256 of the body, lower-case hex
 * @param destinationIds what it was fanned out to
 * @param suppressed the tubes that it did not go to, because its item was fresh there
 */
public record EventView(
    UUID eventId,
    String tenantId,
    EventContent content,
    int size,
    String sha256,
    List<String> destinationIds,
    List<Suppressed> suppressed) {}
