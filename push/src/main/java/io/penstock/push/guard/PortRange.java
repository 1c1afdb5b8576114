package io.penstock.push.guard;

/** Ports from {@code first} to {@code last}, both included, 1 to 65535. */
public record PortRange(int first, int last) {
  private static final int MAX = 65_535;

  public PortRange {
    if (first < 1 || last > MAX || first > last) {
      throw new IllegalArgumentException(
          "ports %d-%d: wanted a range within 1-%d".formatted(first, last, MAX));
    }
  }

  /** Reads {@code 443} or {@code 8000-8999}; throws IllegalArgumentException for anything else. */
  public static PortRange parse(String text) {
    if (!text.matches("\\d{1,5}(-\\d{1,5})?")) {
      throw new IllegalArgumentException(
          "%s is no range of ports; wanted one like 443 or 8000-8999".formatted(text));
    }
    int dash = text.indexOf('-');
    int first = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
    return new PortRange(first, dash < 0 ? first : Integer.parseInt(text.substring(dash + 1)));
  }

  boolean contains(int port) {
    return first <= port && port <= last;
  }

  @Override
  public String toString() {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }
}
