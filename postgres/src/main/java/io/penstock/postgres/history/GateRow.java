package io.penstock.postgres.history;

import java.time.Instant;

/**
 * A change of a gate that a destination stands behind, from the audit.
 *
 * @param action {@code gate.pause} and its like
 * @param scope {@code destination}, {@code tenant} or {@code everything}
 */
public record GateRow(Instant at, String actor, String action, String scope, String reason) {}
