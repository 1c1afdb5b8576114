package io.penstock.server.tube;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.event.Header;
import io.penstock.engine.tube.LeasedJob;
import io.penstock.server.json.Json;
import io.penstock.server.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as its worker gets it.
 *
 * @param job the id of its event
 * @param leaseNo travels in every call about it
 * @param attempt the how manyth this is, from 1
 * @param expectedSeconds how long it is expected to take; null = nobody knows
 * @param item what it is about; null = its producer did not say
 * @param payload the payload as it was posted, byte for byte, when it is JSON
 * @param payloadBase64 the same when it is anything else
 */
record JobBody(
    String tube,
    UUID job,
    long leaseNo,
    Instant leaseUntil,
    String tenantId,
    String type,
    String contentType,
    List<Header> headers,
    String idempotencyKey,
    String urgency,
    String lane,
    int attempt,
    Instant acceptedAt,
    @Nullable Double expectedSeconds,
    @Nullable String item,
    @JsonRawValue @Nullable String payload,
    @Nullable String payloadBase64) {

  /**
   * Renders a job.
   *
   * @param payload null = its event is no longer kept
   */
  static JobBody of(LeasedJob job, byte @Nullable [] payload) {
    Leased lease = job.lease();
    boolean isJson = payload != null && isJson(lease.content().contentType(), payload);
    return new JobBody(
        lease.key().destinationId(),
        lease.key().eventId(),
        lease.leaseNo(),
        lease.leaseUntil(),
        lease.tenantId(),
        lease.content().type(),
        lease.content().contentType(),
        lease.content().headers(),
        lease.content().idempotencyKey(),
        lease.urgency().name().toLowerCase(Locale.ROOT),
        lease.lane().name().toLowerCase(Locale.ROOT),
        lease.attempt() + 1,
        lease.content().acceptedAt(),
        job.expected().isZero() ? null : job.expected().toMillis() / 1_000.0,
        lease.content().item(),
        isJson ? new String(payload, StandardCharsets.UTF_8) : null,
        payload == null || isJson ? null : Base64.getEncoder().encodeToString(payload));
  }

  /** What came as base64 may call itself JSON and be anything. */
  private static boolean isJson(String contentType, byte[] payload) {
    String type = contentType.toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
    if (!type.equals("application/json") && !type.endsWith("+json")) {
      return false;
    }
    try {
      Json.skim(payload);
      return true;
    } catch (ProblemException notJson) {
      return false;
    }
  }
}
