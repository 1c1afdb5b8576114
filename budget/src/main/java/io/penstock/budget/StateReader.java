package io.penstock.budget;

/**
 * Reads the parts of a state and their fields, one after the other; see {@link StateCodec}.
 *
 * <p>Throws IllegalArgumentException, IndexOutOfBoundsException or ArithmeticException on anything
 * else, which the codec turns into one message.
 */
final class StateReader {
  /** Whole numbers up to here are exact as a double. */
  private static final long EXACT = 1L << 53;

  /** Powers of ten that are exact as a double. */
  private static final double[] TENS = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22
  };

  private final String text;
  private int at;

  StateReader(String text) {
    this.text = text;
  }

  boolean more() {
    return at < text.length();
  }

  char key() {
    return text.charAt(at++);
  }

  private boolean atEnd() {
    return at >= text.length() || text.charAt(at) == ',' || text.charAt(at) == ' ';
  }

  /** Whether the current part has another field. */
  boolean moreFields() {
    return at <= text.length() && at > 0 && text.charAt(at - 1) == ',';
  }

  String word() {
    int from = at;
    while (!atEnd()) {
      at++;
    }
    return text.substring(from, at++);
  }

  long integer() {
    boolean negative = text.charAt(at) == '-';
    if (negative) {
      at++;
    }
    int from = at;
    long value = 0;
    while (!atEnd()) {
      value = value * 10 + digit(text.charAt(at++));
    }
    if (at == from) {
      throw new IllegalArgumentException("no number at " + from);
    }
    at++;
    return negative ? -value : value;
  }

  private static int digit(char c) {
    if (c < '0' || c > '9') {
      throw new IllegalArgumentException("not a digit: " + c);
    }
    return c - '0';
  }

  int small() {
    return Math.toIntExact(integer());
  }

  boolean flag() {
    return integer() == 1;
  }

  /**
   * A decimal number. Short ones are read here: a quotient of two exact doubles is correctly
   * rounded, and this is several times faster than the general way, which takes the others.
   */
  double decimal() {
    int from = at;
    long digits = 0;
    int point = -1;
    while (!atEnd()) {
      char c = text.charAt(at++);
      if (c == '.' && point < 0) {
        point = at;
      } else if (c >= '0' && c <= '9' && digits < EXACT / 10 - 1) {
        digits = digits * 10 + (c - '0');
      } else {
        return general(from);
      }
    }
    int decimals = point < 0 ? 0 : at - point;
    if (at == from || decimals >= TENS.length) {
      return general(from);
    }
    at++;
    return digits / TENS[decimals];
  }

  private double general(int from) {
    at = from;
    return Double.parseDouble(word());
  }
}
