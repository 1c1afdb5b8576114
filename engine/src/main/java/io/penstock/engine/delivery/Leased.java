package io.penstock.engine.delivery;

import io.penstock.engine.event.EventContent;
import java.time.Instant;

/**
 * A delivery as it stands while one worker holds its lease: the row, and the event's content.
 *
 * @param tenantId whose work it is
 * @param position ascending in the order of acceptance
 * @param attempt attempts spent so far, 0 or more
 * @param notBefore its place in the order of its lane
 * @param ageFrom when its age limit began to count
 * @param leaseNo the fence: every move out of the lease guards on it
 * @param leaseUntil when the lease may be taken away
 * @param redriveCount how often it was redriven
 * @param size bytes of the body
 */
public record Leased(
    DeliveryKey key,
    String tenantId,
    long position,
    Lane lane,
    Urgency urgency,
    int attempt,
    Instant notBefore,
    Instant ageFrom,
    long leaseNo,
    Instant leaseUntil,
    int redriveCount,
    int size,
    EventContent content) {}
