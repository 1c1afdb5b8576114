package io.penstock.postgres.history;

import java.time.Instant;

/**
 * A version of the limits that came into force for the whole installation.
 *
 * @param author as its publisher said; empty = nobody said
 * @param source where it came from: a file as host:path, {@code api}, or {@code rollback}
 */
public record LimitsRow(Instant at, long versionNo, String author, String source, String reason) {}
