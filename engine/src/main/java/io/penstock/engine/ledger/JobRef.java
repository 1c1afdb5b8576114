package io.penstock.engine.ledger;

import io.penstock.engine.delivery.DeliveryKey;

/** Names one lease of a job: the delivery and the lease number, which is the fence. */
public record JobRef(DeliveryKey key, long leaseNo) {}
