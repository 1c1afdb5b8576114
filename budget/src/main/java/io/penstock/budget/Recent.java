package io.penstock.budget;

import java.util.Arrays;

/**
 * Answers of the last two seconds, counted in slots of 250 ms. Immutable.
 *
 * <p>Exact windows and not decaying averages: a limiter with windows of a second accepts in bursts,
 * and a decayed mean of bursts depends on the phase in which it is read.
 */
final class Recent {
  private static final long SLOT = 250 * Micros.MILLI;

  /** Two seconds. */
  private static final int SLOTS = 8;

  /** One second. */
  private static final int SHORT = 4;

  static final Recent NONE = new Recent(Long.MIN_VALUE / SLOT, new int[SLOTS], new int[SLOTS]);

  private final long slot;
  private final int[] accepted;
  private final int[] refused;

  private Recent(long slot, int[] accepted, int[] refused) {
    this.slot = slot;
    this.accepted = accepted;
    this.refused = refused;
  }

  Recent oneAccepted(long now) {
    Recent next = at(now);
    next.accepted[0]++;
    return next;
  }

  Recent oneRefused(long now) {
    Recent next = at(now);
    next.refused[0]++;
    return next;
  }

  /** Accepted per second over the last two seconds. */
  double acceptedPerSecond(long now) {
    long current = Math.floorDiv(now, SLOT);
    double covered = Micros.toSeconds((SLOTS - 1) * SLOT + Math.floorMod(now, SLOT));
    return sum(accepted, SLOTS, current) / covered;
  }

  int acceptedInLastSecond(long now) {
    return sum(accepted, SHORT, Math.floorDiv(now, SLOT));
  }

  int refusedInLastSecond(long now) {
    return sum(refused, SHORT, Math.floorDiv(now, SLOT));
  }

  private int sum(int[] counts, int slots, long current) {
    int sum = 0;
    long passed = Math.max(0, current - slot);
    for (int i = 0; i + passed < slots; i++) {
      sum += counts[i];
    }
    return sum;
  }

  /** A copy whose first slot is that of {@code now}. */
  private Recent at(long now) {
    long current = Math.floorDiv(now, SLOT);
    int passed = Math.clamp(current - slot, 0, SLOTS);
    return new Recent(
        passed == 0 ? slot : current, moved(accepted, passed), moved(refused, passed));
  }

  private static int[] moved(int[] counts, int by) {
    int[] copy = new int[SLOTS];
    System.arraycopy(counts, 0, copy, by, SLOTS - by);
    return copy;
  }

  Recent shifted(long by) {
    return new Recent(slot + Math.floorDiv(by, SLOT), accepted, refused);
  }

  /** The slot and then, newest first, what was accepted and refused in each up to the oldest. */
  void write(StateWriter out) {
    out.field(slot);
    int slots = SLOTS;
    while (slots > 0 && accepted[slots - 1] == 0 && refused[slots - 1] == 0) {
      slots--;
    }
    for (int i = 0; i < slots; i++) {
      out.field(accepted[i]).field(refused[i]);
    }
  }

  static Recent read(StateReader in) {
    Recent read = new Recent(in.integer(), new int[SLOTS], new int[SLOTS]);
    for (int i = 0; in.moreFields(); i++) {
      read.accepted[i] = in.small();
      read.refused[i] = in.small();
    }
    return read;
  }

  boolean isEmpty() {
    return Arrays.stream(accepted).allMatch(count -> count == 0)
        && Arrays.stream(refused).allMatch(count -> count == 0);
  }
}
