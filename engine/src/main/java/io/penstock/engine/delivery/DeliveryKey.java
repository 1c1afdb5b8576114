package io.penstock.engine.delivery;

import java.util.UUID;

/**
 * Names a delivery: one event for one destination, in the destination's shard.
 *
 * @param shard the destination's shard, 0 to 32767
 * @param destinationId ASCII, at most 64 characters
 * @param eventId a UUIDv7
 */
public record DeliveryKey(int shard, String destinationId, UUID eventId) {}
