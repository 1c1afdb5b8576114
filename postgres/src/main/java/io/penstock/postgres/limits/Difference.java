package io.penstock.postgres.limits;

import java.util.Set;

/**
 * What a version of the limits changes.
 *
 * @param text for people
 * @param destinationIds whose own limits change
 * @param tenantIds the same of tenants
 * @param widely whether something changes that is not of single destinations or tenants
 */
public record Difference(
    String text, Set<String> destinationIds, Set<String> tenantIds, boolean widely) {}
