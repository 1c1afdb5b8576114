package io.penstock.postgres.erasure;

/**
 * What an erasure would delete, counted up to a bound each.
 *
 * @param waiting deliveries that wait or are being sent
 * @param finished deliveries that have ended
 * @param capped whether one of the counts came to its bound: there is at least so much
 * @param confirmation what to say to have it done; good for ten to twenty minutes
 */
public record ErasurePlan(
    String tenantId,
    long destinations,
    long waiting,
    long finished,
    long deadLetters,
    boolean capped,
    String confirmation) {}
