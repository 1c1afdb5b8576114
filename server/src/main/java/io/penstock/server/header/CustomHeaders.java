package io.penstock.server.header;

import io.penstock.engine.event.Header;
import io.penstock.push.HeaderRules;
import io.penstock.server.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The headers that an event or a destination adds to an attempt: refused when they are posted, not
 * when they are sent.
 */
public final class CustomHeaders {
  /** Most headers of one event or destination; real ones have a handful. */
  public static final int MOST = 64;

  private CustomHeaders() {}

  /** Refuses a header that may not be sent; {@code field} is where the headers stood. */
  public static Header checked(String field, String name, String value) {
    Header header = new Header(name, value);
    HeaderRules.refusal(header)
        .ifPresent(why -> {
          throw ProblemException.field(
              field + "." + name, value, "a header that may be set; " + why);
        });
    return header;
  }

  /** The headers of a map, checked. */
  public static List<Header> checked(String field, Map<String, String> map) {
    List<Header> out = new ArrayList<>();
    map.forEach((name, value) -> out.add(checked(field, name, value)));
    HeaderRules.refusal(out)
        .ifPresent(why -> {
          throw ProblemException.field(
              field, "%d headers".formatted(out.size()), "fewer or shorter ones; " + why);
        });
    return List.copyOf(out);
  }
}
