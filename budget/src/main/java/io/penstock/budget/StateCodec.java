package io.penstock.budget;

import org.jspecify.annotations.Nullable;

/**
 * How a state is written: {@code 1 <part> <part> …}, each part a key of one letter and its fields
 * with commas between them. A part that says nothing (no pin, no failures) is left out, so that the
 * line of a healthy budget stays short, and a part that a later version adds is simply absent from
 * an older line. Numbers are decimal and exact.
 */
final class StateCodec {
  private static final String VERSION = "1";

  private StateCodec() {}

  static String encode(BudgetState state) {
    Writer out = new Writer(VERSION);
    out.part('s').field(state.seed);
    out.part('g').field(state.generation);
    out.part('f').field(state.inFlight);
    Bucket b = state.bucket;
    out.part('b').field(b.tokens()).field(b.at()).field(b.rate()).field(b.cap());
    if (!state.pin.equals(Pin.NONE)) {
      out.part('p').field(state.pin.until()).field(state.pin.misses()).field(state.pin.byHint());
    }
    Runs runs = state.runs;
    if (!runs.equals(Runs.NONE)) {
      out.part('r').field(runs.rejected()).field(runs.rejectedSince()).field(runs.unauthorised());
    }
    if (state.closed != null) {
      out.part('c').field(state.closed.name());
    }
    return out.toString();
  }

  static BudgetState decode(String text) {
    try {
      return read(new Reader(text));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new IllegalArgumentException("not a budget state: " + text, e);
    }
  }

  private static BudgetState read(Reader in) {
    String version = in.word();
    if (!version.equals(VERSION)) {
      throw new IllegalArgumentException("version " + version + ", wanted " + VERSION);
    }
    long seed = 0;
    long generation = 0;
    int inFlight = 0;
    Bucket bucket = null;
    Pin pin = Pin.NONE;
    Runs runs = Runs.NONE;
    RefuseReason closed = null;
    while (in.more()) {
      char key = in.key();
      switch (key) {
        case 's' -> seed = in.integer();
        case 'g' -> generation = in.integer();
        case 'f' -> inFlight = in.small();
        case 'b' -> bucket = new Bucket(in.decimal(), in.integer(), in.decimal(), in.decimal());
        case 'p' -> pin = new Pin(in.integer(), in.small(), in.flag());
        case 'r' -> runs = new Runs(in.small(), in.integer(), in.small());
        case 'c' -> closed = RefuseReason.valueOf(in.word());
        default -> throw new IllegalArgumentException("unknown part " + key);
      }
    }
    return new BudgetState(seed, generation, inFlight, present(bucket), pin, runs, closed);
  }

  private static Bucket present(@Nullable Bucket bucket) {
    if (bucket == null) {
      throw new IllegalArgumentException("no bucket");
    }
    return bucket;
  }

  /** Appends parts and their fields. */
  private static final class Writer {
    private final StringBuilder text = new StringBuilder(192);
    private boolean first;

    Writer(String version) {
      text.append(version);
    }

    Writer part(char key) {
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

    Writer field(long value) {
      next().append(value);
      return this;
    }

    Writer field(double value) {
      long whole = (long) value;
      if (whole == value && Math.abs(whole) < 1L << 53) {
        next().append(whole);
      } else {
        next().append(value);
      }
      return this;
    }

    Writer field(boolean value) {
      next().append(value ? '1' : '0');
      return this;
    }

    Writer field(String value) {
      next().append(value);
      return this;
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }

  /** Reads fields one after the other. */
  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    boolean more() {
      return at < text.length();
    }

    char key() {
      return text.charAt(at++);
    }

    String word() {
      int from = at;
      while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != ' ') {
        at++;
      }
      return text.substring(from, at++);
    }

    long integer() {
      int from = at;
      boolean negative = text.charAt(at) == '-';
      if (negative) {
        at++;
      }
      long value = 0;
      int digits = 0;
      while (at < text.length() && Character.digit(text.charAt(at), 10) >= 0) {
        value = value * 10 + Character.digit(text.charAt(at++), 10);
        digits++;
      }
      if (digits == 0 || (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != ' ')) {
        throw new IllegalArgumentException("not a whole number at " + from);
      }
      at++;
      return negative ? -value : value;
    }

    int small() {
      return Math.toIntExact(integer());
    }

    boolean flag() {
      return integer() == 1;
    }

    double decimal() {
      return Double.parseDouble(word());
    }
  }
}
