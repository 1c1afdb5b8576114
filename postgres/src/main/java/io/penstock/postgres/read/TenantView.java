package io.penstock.postgres.read;

import java.time.Instant;

/** A tenant with its gate. */
public record TenantView(String tenantId, String name, Instant createdAt, GateView gate) {}
