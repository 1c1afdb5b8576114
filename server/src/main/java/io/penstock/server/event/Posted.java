package io.penstock.server.event;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.Header;
import io.penstock.engine.ledger.Freshness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One event as it was posted, checked against the bounds.
 *
 * @param at where it stood in the request, for messages: empty, or {@code events[3].}
 * @param tenant null = the only tenant of the key
 * @param body the payload's bytes exactly as sent
 * @param idempotencyKey the producer's, or operation and source version joined; null = none
 * @param item what it is about; null = unsaid
 * @param fresh when it need not go to a tube; null = it always goes
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record Posted(
    String at,
    @Nullable String tenant,
    String type,
    String contentType,
    List<Header> headers,
    byte[] body,
    Urgency urgency,
    @Nullable String idempotencyKey,
    List<String> destinations,
    @Nullable String item,
    @Nullable Freshness fresh) {

  /** The same with this key. */
  Posted withKey(String key) {
    return new Posted(
        at, tenant, type, contentType, headers, body, urgency, key, destinations, item, fresh);
  }
}
