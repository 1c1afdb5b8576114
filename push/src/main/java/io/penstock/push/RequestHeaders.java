package io.penstock.push;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.event.EventContent;
import io.penstock.engine.event.Header;
import io.penstock.engine.transport.Attempt;
import io.penstock.push.signing.Signatures;
import io.penstock.push.signing.SigningKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The headers of one attempt: the event's, under the destination's where both name the same one
 * (its owner's credentials are not for producers to replace), and ours.
 */
final class RequestHeaders {
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  private RequestHeaders() {}

  /** Why an event cannot be sent with what it carries; empty when it can. */
  static Optional<String> refusal(EventContent content) {
    return HeaderRules.refusal(content.headers())
        .or(() -> HeaderRules.valueRefusal(CONTENT_TYPE, content.contentType()))
        .or(() -> HeaderRules.valueRefusal(IDEMPOTENCY_KEY, content.idempotencyKey()));
  }

  static List<Header> of(Attempt attempt, List<SigningKey> keys, byte[] body) {
    Leased delivery = attempt.delivery();
    EventContent content = delivery.content();
    List<Header> own = attempt.destination().headers();
    List<Header> headers = new ArrayList<>(own.size() + content.headers().size() + 6);
    headers.add(new Header(CONTENT_TYPE, content.contentType()));
    headers.addAll(own);
    for (Header header : content.headers()) {
      if (own.stream().noneMatch(first -> first.name().equalsIgnoreCase(header.name()))) {
        headers.add(header);
      }
    }
    String id = delivery.key().eventId().toString();
    long epochSecond = attempt.sentAt().getEpochSecond();
    headers.add(new Header(IDEMPOTENCY_KEY, content.idempotencyKey()));
    headers.add(new Header(Signatures.ID_HEADER, id));
    headers.add(new Header(Signatures.TIMESTAMP_HEADER, Long.toString(epochSecond)));
    if (!keys.isEmpty()) {
      headers.add(
          new Header(Signatures.SIGNATURE_HEADER, Signatures.sign(keys, id, epochSecond, body)));
    }
    return headers;
  }
}
