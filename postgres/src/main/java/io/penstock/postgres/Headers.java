package io.penstock.postgres;

import io.penstock.engine.event.Header;
import java.util.ArrayList;
import java.util.List;

/** Headers as they are stored: lines {@code Name: value}, in their order and with their case. */
public final class Headers {
  private Headers() {}

  /**
   * The stored form.
   *
   * @throws IllegalArgumentException for a name with a colon or any text with a line break, which
   *     no HTTP header can have
   */
  public static String format(List<Header> headers) {
    StringBuilder lines = new StringBuilder();
    for (Header header : headers) {
      if (header.name().indexOf(':') >= 0 || breaks(header.name()) || breaks(header.value())) {
        throw new IllegalArgumentException(
            "header '%s': a name holds no colon, and neither name nor value a line break"
                .formatted(header.name()));
      }
      lines.append(header.name()).append(": ").append(header.value()).append('\n');
    }
    return lines.toString();
  }

  private static boolean breaks(String text) {
    return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
  }

  /** The headers of a stored form. */
  public static List<Header> parse(String lines) {
    List<Header> headers = new ArrayList<>();
    for (int from = 0; from < lines.length(); ) {
      int end = lines.indexOf('\n', from);
      int colon = lines.indexOf(": ", from);
      headers.add(new Header(lines.substring(from, colon), lines.substring(colon + 2, end)));
      from = end + 1;
    }
    return List.copyOf(headers);
  }
}
