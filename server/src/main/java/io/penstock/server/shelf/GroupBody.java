package io.penstock.server.shelf;

import io.penstock.postgres.read.ShelfGroupView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What lies on the shelf for one cause.
 *
 * @param phrase the first words of the answers without what differs; null for callers that may not
 *     see what receivers answer
 * @param example the number of the last one that came
 */
record GroupBody(
    String destinationId,
    String tenantId,
    String reason,
    @Nullable Integer lastStatus,
    @Nullable String phrase,
    long count,
    Instant firstAt,
    Instant lastAt,
    long example,
    RemedyBody remedy) {

  static GroupBody of(ShelfGroupView view) {
    return new GroupBody(
        view.destinationId(),
        view.tenantId(),
        view.reason().word(),
        view.lastStatus() == 0 ? null : view.lastStatus(),
        view.phrase(),
        view.letters(),
        view.firstAt(),
        view.lastAt(),
        view.exampleNo(),
        RemedyBody.of(view.reason()));
  }
}
