package io.penstock.postgres.limits;

/**
 * A limits file on its way in; see {@link LimitsVersion}.
 *
 * @param sha256 of the content
 */
@SuppressWarnings("ArrayRecordComponent") // a digest, never changed; compared nowhere
public record NewLimits(
    String content,
    byte[] sha256,
    String author,
    String reviewer,
    String commit,
    String reason,
    String source) {}
