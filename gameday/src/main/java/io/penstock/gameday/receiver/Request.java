package io.penstock.gameday.receiver;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The head of one HTTP/1.1 request, found in a buffer.
 *
 * @param webhookId empty when it carries none
 * @param length bytes of head and body together
 */
record Request(String path, String webhookId, int length) {
  private static final byte[] END = {'\r', '\n', '\r', '\n'};

  /** Empty when the whole head is not there yet. */
  static Optional<Request> parse(byte[] buffer, int from, int to) {
    int end = indexOfEnd(buffer, from, to);
    if (end < 0) {
      return Optional.empty();
    }
    String head = new String(buffer, from, end - from, StandardCharsets.ISO_8859_1);
    String[] lines = head.split("\r\n", -1);
    String[] words = lines[0].split(" ", -1);
    if (words.length != 3) {
      throw new IllegalArgumentException("not a request line: " + lines[0]);
    }
    int body = 0;
    String id = "";
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      String name = lines[i].substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
      String value = lines[i].substring(colon + 1).strip();
      switch (name) {
        case "content-length" -> body = Integer.parseInt(value);
        case "webhook-id" -> id = value;
        case "transfer-encoding" ->
            throw new IllegalArgumentException("a chunked body; this receiver wants a length");
        default -> {}
      }
    }
    return Optional.of(new Request(words[1], id, end - from + END.length + body));
  }

  private static int indexOfEnd(byte[] buffer, int from, int to) {
    for (int i = from; i + END.length <= to; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return i;
      }
    }
    return -1;
  }
}
