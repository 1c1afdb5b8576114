package io.penstock.engine.ledger;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.Header;
import io.penstock.engine.wave.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event that a producer posted, checked against the bounds already.
 *
 * @param eventId a UUIDv7 made from the ledger clock
 * @param type dotted ASCII, for instance {@code order.paid}
 * @param body the raw bytes, never parsed
 * @param idempotencyKey the producer's key or one derived from operation and version; null = none
 * @param destinationIds explicit destinations of the tenant; empty = by subscription
 * @param item what it is about, 1 to {@link #MOST_ITEM_CHARS} printable characters; null = unsaid
 * @param fresh when it need not go to a tube at all; wants an item; null = it always goes
 * @param over the window over which its deliveries are spread, 1 s to 7 days; null = due at once
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record NewEvent(
    UUID eventId,
    String tenantId,
    String type,
    String contentType,
    List<Header> headers,
    byte[] body,
    Urgency urgency,
    @Nullable String idempotencyKey,
    List<String> destinationIds,
    @Nullable String item,
    @Nullable Freshness fresh,
    @Nullable Duration over) {
  /** Enough for an address; an index holds it whole. */
  public static final int MOST_ITEM_CHARS = 256;

  public NewEvent {
    if (fresh != null && item == null) {
      throw new IllegalArgumentException("freshness wants the item that is to be fresh");
    }
    if (over != null) {
      Wave.check(over);
    }
  }

  /** Goes to every tube, however fresh its item is there, and is due at once. */
  public NewEvent(
      UUID eventId,
      String tenantId,
      String type,
      String contentType,
      List<Header> headers,
      byte[] body,
      Urgency urgency,
      @Nullable String idempotencyKey,
      List<String> destinationIds,
      @Nullable String item) {
    this(
        eventId,
        tenantId,
        type,
        contentType,
        headers,
        body,
        urgency,
        idempotencyKey,
        destinationIds,
        item,
        null,
        null);
  }

  /** About nothing in particular. */
  public NewEvent(
      UUID eventId,
      String tenantId,
      String type,
      String contentType,
      List<Header> headers,
      byte[] body,
      Urgency urgency,
      @Nullable String idempotencyKey,
      List<String> destinationIds) {
    this(
        eventId,
        tenantId,
        type,
        contentType,
        headers,
        body,
        urgency,
        idempotencyKey,
        destinationIds,
        null);
  }

  /**
   * When its delivery to a destination is due, if it is accepted at {@code now}: at once, or at its
   * place of the window. What it is about is its item; without one its idempotency key, and without
   * that its own id, which is another one each time.
   */
  public Instant dueAt(String destinationId, Instant now) {
    if (over == null) {
      return now;
    }
    String about = item != null ? item : idempotencyKey;
    return Wave.dueAt(destinationId, about != null ? about : eventId.toString(), over, now);
  }
}
