package io.penstock.postgres.read;

import io.penstock.engine.delivery.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What lies on the shelf for one cause.
 *
 * @param lastStatus HTTP status of the last attempt; 0 = none
 * @param phrase the first words of the answers without what differs; null when not asked for
 * @param letters how many lie there
 * @param firstAt when the first came; none of those there is older
 * @param exampleNo the number of the last one that came
 * @param groupNo orders groups of the same size
 */
public record ShelfGroupView(
    String destinationId,
    String tenantId,
    Reason reason,
    int lastStatus,
    @Nullable String phrase,
    long letters,
    Instant firstAt,
    Instant lastAt,
    long exampleNo,
    long groupNo) {}
