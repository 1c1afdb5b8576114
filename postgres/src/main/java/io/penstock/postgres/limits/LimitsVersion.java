package io.penstock.postgres.limits;

import java.time.Instant;

/**
 * A limits file that was applied or refused.
 *
 * @param versionNo rises with every version
 * @param content the file's text; empty in lists
 * @param hash SHA-256 of the content, in hex
 * @param diff what it changed; of a refused one what is wrong
 * @param author who wrote it
 * @param commit where it stands in somebody's repository
 * @param applied false = refused
 * @param source a file as {@code host:path}, {@code api}, or {@code rollback}
 */
public record LimitsVersion(
    long versionNo,
    String content,
    String hash,
    String diff,
    String author,
    String reviewer,
    String commit,
    String reason,
    boolean applied,
    String source,
    Instant at) {}
