package io.penstock.testkit.receiver;

import io.penstock.engine.event.Header;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One request as it came over the wire.
 *
 * @param headers in the order and the case in which they were sent
 * @param head the raw bytes up to and with the empty line
 * @param body the bytes of the body, without any chunk framing
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed
public record Received(
    String method, String target, List<Header> headers, byte[] head, byte[] body) {

  /** The first header of this name, whatever its case. */
  public Optional<String> header(String name) {
    return headers.stream()
        .filter(
            header -> header.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
        .map(Header::value)
        .findFirst();
  }
}
