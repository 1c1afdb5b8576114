package io.penstock.testkit.rows;

import java.time.Instant;

/** One line of the audit: {@code subject} names what was acted on, by its id. */
public record AuditSeen(Instant when, String actor, String action, String subject, String reason) {}
