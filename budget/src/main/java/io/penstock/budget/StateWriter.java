package io.penstock.budget;

/** Appends the parts of a state and their fields; see {@link StateCodec}. */
final class StateWriter {
  /** Most lines are shorter. */
  private static final int USUAL_LENGTH = 256;

  private final StringBuilder text = new StringBuilder(USUAL_LENGTH);
  private boolean first;

  StateWriter(String version) {
    text.append(version);
  }

  StateWriter part(char key) {
    text.append(' ').append(key);
    first = true;
    return this;
  }

  private StringBuilder next() {
    if (!first) {
      text.append(',');
    }
    first = false;
    return text;
  }

  StateWriter field(long value) {
    next().append(value);
    return this;
  }

  StateWriter field(double value) {
    long whole = (long) value;
    if (whole == value && Math.abs(whole) < 1L << 53) {
      next().append(whole);
    } else {
      next().append(value);
    }
    return this;
  }

  StateWriter field(boolean value) {
    next().append(value ? '1' : '0');
    return this;
  }

  StateWriter field(String value) {
    next().append(value);
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
