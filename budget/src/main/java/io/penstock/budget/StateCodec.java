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
    StateWriter out = new StateWriter(VERSION);
    out.part('s').field(state.seed);
    out.part('g').field(state.generation);
    out.part('f').field(state.inFlight);
    state.bucket.write(out.part('b'));
    if (!state.pin.equals(Pin.NONE)) {
      state.pin.write(out.part('p'));
    }
    if (!state.rate.isNew()) {
      state.rate.write(out.part('a'));
    }
    if (state.rate.knee.known()) {
      state.rate.knee.write(out.part('k'));
    }
    if (!state.rate.walls.equals(Walls.NONE)) {
      state.rate.walls.write(out.part('w'));
    }
    if (!state.rate.recent.isEmpty()) {
      state.rate.recent.write(out.part('n'));
    }
    if (state.failures.count() > 0) {
      state.failures.write(out.part('x'));
    }
    if (!state.park.equals(Park.NONE)) {
      state.park.write(out.part('q'));
    }
    if (!state.retries.equals(RetryAllowance.UNUSED)) {
      state.retries.write(out.part('y'));
    }
    if (!state.runs.equals(Runs.NONE)) {
      state.runs.write(out.part('r'));
    }
    if (state.closed != null) {
      out.part('c').field(state.closed.name());
    }
    return out.toString();
  }

  static BudgetState decode(String text) {
    try {
      return read(new StateReader(text));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new IllegalArgumentException("not a budget state: " + text, e);
    }
  }

  private static BudgetState read(StateReader in) {
    String version = in.word();
    if (!version.equals(VERSION)) {
      throw new IllegalArgumentException("version " + version + ", wanted " + VERSION);
    }
    long seed = 0;
    long generation = 0;
    int inFlight = 0;
    Bucket bucket = null;
    Pin pin = Pin.NONE;
    AdaptiveRate rate = new AdaptiveRate();
    Failures failures = Failures.NONE;
    Park park = Park.NONE;
    RetryAllowance retries = RetryAllowance.UNUSED;
    Runs runs = Runs.NONE;
    RefuseReason closed = null;
    while (in.more()) {
      char key = in.key();
      switch (key) {
        case 's' -> seed = in.integer();
        case 'g' -> generation = in.integer();
        case 'f' -> inFlight = in.small();
        case 'b' -> bucket = Bucket.read(in);
        case 'p' -> pin = Pin.read(in);
        case 'a' -> rate.read(in);
        case 'k' -> rate.knee = Knee.read(in);
        case 'w' -> rate.walls = Walls.read(in);
        case 'n' -> rate.recent = Recent.read(in);
        case 'x' -> failures = Failures.read(in);
        case 'q' -> park = Park.read(in);
        case 'y' -> retries = RetryAllowance.read(in);
        case 'r' -> runs = Runs.read(in);
        case 'c' -> closed = RefuseReason.valueOf(in.word());
        default -> throw new IllegalArgumentException("unknown part " + key);
      }
    }
    return new BudgetState(
        seed,
        generation,
        inFlight,
        present(bucket),
        pin,
        rate,
        failures,
        park,
        retries,
        runs,
        closed);
  }

  private static Bucket present(@Nullable Bucket bucket) {
    if (bucket == null) {
      throw new IllegalArgumentException("no bucket");
    }
    return bucket;
  }
}
