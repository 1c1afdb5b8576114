package io.penstock.postgres.read;

import java.util.List;

/** What a destination hears of its tenant's events; {@code types} empty = all. */
public record SubscriptionView(String tenantId, String destinationId, List<String> types) {}
