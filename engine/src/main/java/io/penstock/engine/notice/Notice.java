package io.penstock.engine.notice;

import java.time.Instant;

/**
 * One thing that operators do not know yet.
 *
 * @param subject the id of the destination, of the redrive, or the number of the limits version
 * @param tenantId whose it is; empty = nobody's in particular
 * @param detail the reason, with its numbers; for what has recovered, what it was
 * @param since when it began, or was first seen
 */
public record Notice(
    NoticeKind kind, String subject, String tenantId, String detail, Instant since) {}
