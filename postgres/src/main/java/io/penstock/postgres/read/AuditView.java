package io.penstock.postgres.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit; never changed.
 *
 * @param auditNo ascending
 * @param actor {@code key:…}, {@code cli} or a part of Penstock
 * @param action a word of the form {@code thing.verb}
 * @param tenantId whose it is; null = of no tenant, or of several
 * @param detail more for people; may be empty
 */
public record AuditView(
    long auditNo,
    Instant at,
    String actor,
    String action,
    String subject,
    @Nullable String tenantId,
    String reason,
    String detail) {}
