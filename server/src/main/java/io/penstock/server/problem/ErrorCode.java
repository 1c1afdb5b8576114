package io.penstock.server.problem;

import java.util.Locale;

/**
 * Every way in which the API refuses a request: one table of code, status and title. The code is
 * what programs decide by; it never changes its meaning. Metrics count by it.
 */
public enum ErrorCode {
  MALFORMED_JSON(400, "The body is not well-formed JSON"),
  BAD_PARAMETER(400, "A parameter of the URL or a header is not acceptable"),
  UNAUTHENTICATED(401, "No valid API key was presented"),
  FORBIDDEN(403, "The API key may not do this"),
  NOT_FOUND(404, "There is no such thing, or this key may not see it"),
  METHOD_NOT_ALLOWED(405, "The path exists, but not with this method"),
  ID_TAKEN(409, "The id is taken"),
  WRONG_STATE(409, "It is not in a state that allows this"),
  REDRIVE_ACTIVE(409, "The destination has an active redrive already"),
  SCHEDULES_FULL(409, "The tenant has as many schedules as it may"),
  PERMITS_CLOSED(409, "The destination grants no permits until somebody acts"),
  LEASE_LOST(409, "The lease is lost: somebody else ended it"),
  BODY_TOO_LARGE(413, "The body is over a bound"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body has a media type that is not understood"),
  INVALID_FIELD(422, "A field of the body is not acceptable"),
  ADDRESS_REFUSED(422, "The URL leads to an address that policy refuses"),
  LIMITS_REFUSED(422, "The limits file is at fault"),
  IDEMPOTENCY_KEY_REUSED(422, "The idempotency key came before with other bytes"),
  BACKLOG_FULL(429, "Too much is waiting already"),
  NO_PERMIT_YET(429, "The destination's budget has no permit yet"),
  HEADERS_TOO_LARGE(431, "The headers are over a bound"),
  INTERNAL(500, "A fault in Penstock itself"),
  LEDGER_UNAVAILABLE(503, "The ledger does not answer"),
  OVERLOADED(503, "The server holds as many bytes of requests as it may"),
  DRAINING(503, "The server is stopping");

  private final int status;
  private final String title;

  ErrorCode(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The HTTP status that answers carry. */
  public int status() {
    return status;
  }

  /** One sentence, the same for every occurrence. */
  public String title() {
    return title;
  }

  /** The stable word, lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The problem type of RFC 9457: a name, not an address. */
  public String type() {
    return "urn:penstock:problem:" + word();
  }
}
