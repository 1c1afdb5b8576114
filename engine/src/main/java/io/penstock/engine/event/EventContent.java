package io.penstock.engine.event;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event's content as the ledger returns it.
 *
 * @param acceptedAt when it was accepted
 * @param idempotencyKey the producer's, a derived one, or the event id
 * @param body the raw bytes, or null when they are large and are read at send time
 * @param item what the event is about; null = its producer did not say
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record EventContent(
    String type,
    String contentType,
    List<Header> headers,
    String idempotencyKey,
    Instant acceptedAt,
    byte @Nullable [] body,
    @Nullable String item) {

  /** Of an event that is about nothing in particular. */
  public EventContent(
      String type,
      String contentType,
      List<Header> headers,
      String idempotencyKey,
      Instant acceptedAt,
      byte @Nullable [] body) {
    this(type, contentType, headers, idempotencyKey, acceptedAt, body, null);
  }
}
