package io.penstock.postgres.read;

import java.util.UUID;

/** The place of a delivery in a list: newest event first, then by destination, both descending. */
public record DeliveryCursor(UUID eventId, String destinationId) {}
