package io.penstock.server.header;

import io.penstock.engine.event.Header;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which headers an event or a destination may add to an attempt: refused when they are posted, not
 * when they are sent. Safe for use by many threads.
 */
public final class HeaderRules {
  /** Most headers of one event or destination; real ones have a handful. */
  public static final int MOST = 64;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

  private final Predicate<String> forbidden;

  /**
   * @param forbidden says which names HTTP and Penstock set themselves
   */
  public HeaderRules(Predicate<String> forbidden) {
    this.forbidden = forbidden;
  }

  /** Checks the name; {@code field} is where it stood. */
  public void checkName(String field, String name) {
    if (!NAME.matcher(name).matches()) {
      throw ProblemException.field(field, name, "a header name of at most 100 characters");
    }
    if (forbidden.test(name)) {
      throw ProblemException.field(field, name, "a header that Penstock does not set itself");
    }
  }

  /** Checks the value; {@code field} is where it stood. */
  public void checkValue(String field, String value) {
    if (!Texts.isAscii(value)) {
      throw ProblemException.field(field, value, "printable ASCII");
    }
  }

  /** The headers of a map, checked. */
  public List<Header> headers(String field, Map<String, String> map) {
    List<Header> out = new ArrayList<>();
    map.forEach(
        (name, value) -> {
          checkName(field + "." + name, name);
          checkValue(field + "." + name, value);
          out.add(new Header(name, value));
        });
    return List.copyOf(out);
  }
}
