package io.penstock.push;

import io.penstock.engine.event.Header;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which headers a producer or the owner of a destination may set. Those that frame the request,
 * name the receiver, carry the signature or the idempotency key are ours alone. Ingest refuses
 * early by these rules, and the transport once more before it sends. Pure; safe for use by many
 * threads.
 */
public final class HeaderRules {
  /** Names and values of all headers together, in bytes; usual servers refuse more. */
  public static final int MAX_BLOCK_BYTES = 16 * 1024;

  /** Colon, blank and line end. */
  private static final int BYTES_PER_LINE = 4;

  private static final Set<String> RESERVED =
      Set.of(
          "connection",
          "content-length",
          "content-type", // has a field of its own
          "expect",
          "host",
          "http2-settings",
          "idempotency-key",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final List<String> RESERVED_PREFIXES = List.of("webhook-", "proxy-");

  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  private HeaderRules() {}

  /** Why these headers may not be sent, in words; empty when they may. */
  public static Optional<String> refusal(List<Header> headers) {
    int bytes = 0;
    for (Header header : headers) {
      Optional<String> refusal = refusal(header);
      if (refusal.isPresent()) {
        return refusal;
      }
      bytes += header.name().length() + header.value().length() + BYTES_PER_LINE;
    }
    return bytes <= MAX_BLOCK_BYTES
        ? Optional.empty()
        : Optional.of(
            "the headers have %d bytes together; at most %d are allowed"
                .formatted(bytes, MAX_BLOCK_BYTES));
  }

  /** Why this header may not be sent, in words that hold its name only; empty when it may. */
  public static Optional<String> refusal(Header header) {
    if (!isToken(header.name())) {
      return Optional.of(
          "a header's name must be letters, digits or %s, at least one".formatted(TOKEN_MARKS));
    }
    String name = header.name().toLowerCase(Locale.ROOT);
    if (RESERVED.contains(name) || RESERVED_PREFIXES.stream().anyMatch(name::startsWith)) {
      return Optional.of("the header %s is set by Penstock".formatted(header.name()));
    }
    return valueRefusal(header.name(), header.value());
  }

  /** The same for a value that Penstock puts under a header of its own (content type, key). */
  public static Optional<String> valueRefusal(String name, String value) {
    return value.chars().allMatch(c -> (c >= ' ' && c <= '~') || c == '\t')
        ? Optional.empty()
        : Optional.of(
            "the value of the header %s must be visible ASCII, blanks and tabs".formatted(name));
  }

  private static boolean isToken(String name) {
    return !name.isEmpty()
        && name.chars()
            .allMatch(c ->
                (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || TOKEN_MARKS.indexOf(c) >= 0);
  }
}
