package io.penstock.server.delivery;

import io.penstock.postgres.read.AttemptView;
import io.penstock.postgres.read.DeliveryDetail;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A delivery with its attempts, oldest first. */
public record DeliveryDetailBody(DeliveryBody delivery, List<AttemptBody> attempts) {

  /**
   * One attempt.
   *
   * @param tookMs from start to end
   * @param status HTTP status; 0 = no answer
   * @param responseHead the first bytes of the answer as text; null for callers that may not see it
   */
  public record AttemptBody(
      long leaseNo,
      Instant startedAt,
      double tookMs,
      String outcome,
      String detail,
      int status,
      @Nullable String responseHead,
      @Nullable String resolvedAddress,
      String node) {}

  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * One delivery with its attempts.
   *
   * @param inside whether the caller runs the installation: tenants see neither addresses nor what
   *     the receiver answered, so that no URL of theirs becomes a window into the network
   */
  public static DeliveryDetailBody of(DeliveryDetail detail, boolean inside) {
    return new DeliveryDetailBody(
        DeliveryBody.of(detail.delivery()),
        detail.attempts().stream().map(attempt -> attempt(attempt, inside)).toList());
  }

  private static AttemptBody attempt(AttemptView view, boolean inside) {
    return new AttemptBody(
        view.leaseNo(),
        view.startedAt(),
        view.took().toNanos() / NANOS_PER_MILLI,
        view.outcome(),
        view.detail(),
        view.status(),
        inside ? new String(view.responseHead(), StandardCharsets.UTF_8) : null,
        inside ? view.resolvedAddress() : null,
        view.node());
  }
}
