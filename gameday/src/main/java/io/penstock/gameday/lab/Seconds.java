package io.penstock.gameday.lab;

/**
 * What one receiver accepted and refused, second by second, and what that says of its sender. The
 * arrays are shared and may grow in value while it is used by one thread.
 */
public final class Seconds {
  /** Of so many seconds in a row ... */
  private static final int FOUND_WINDOW = 12;

  /** ... so many must be good, for a limit to count as found. */
  private static final int FOUND_GOOD = 9;

  private static final double FOUND_SHARE = 0.85;
  private static final double FOUND_REFUSED = 0.05;

  /** Rates are means of so many seconds. */
  private static final int MEAN = 3;

  private final int[] accepted;
  private final int[] refused;

  /** Two arrays of the same length, by second. */
  public Seconds(int[] accepted, int[] refused) {
    this.accepted = accepted;
    this.refused = refused;
  }

  /** Accepted per second from second {@code from} to before {@code to}. */
  public double acceptedPerSecond(int from, int to) {
    return (double) sum(accepted, from, to) / (to - from);
  }

  /** Refused from second {@code from} to before {@code to}. */
  public int refused(int from, int to) {
    return sum(refused, from, to);
  }

  /** Accepted from second {@code from} to before {@code to}. */
  public int accepted(int from, int to) {
    return sum(accepted, from, to);
  }

  /** The share of 429s among all answers. */
  public double refusedShare(int from, int to) {
    int bad = sum(refused, from, to);
    int all = bad + sum(accepted, from, to);
    return all == 0 ? 0 : (double) bad / all;
  }

  /**
   * The second from which 9 of 12 have at least 85 % of the limit in their mean of 3 s and at most
   * 5 % 429s; NaN when there is none.
   */
  public double foundAfter(double limit, int from) {
    for (int start = from; start + FOUND_WINDOW <= accepted.length; start++) {
      int good = 0;
      for (int s = start; s < start + FOUND_WINDOW; s++) {
        int back = Math.max(from, s - MEAN + 1);
        boolean fast = acceptedPerSecond(back, s + 1) >= FOUND_SHARE * limit;
        good += fast && refusedShare(s, s + 1) <= FOUND_REFUSED ? 1 : 0;
      }
      if (good >= FOUND_GOOD) {
        return start - from;
      }
    }
    return Double.NaN;
  }

  /** Seconds from {@code from} until a mean of 3 s reaches this rate; NaN when it never does. */
  public double reaches(double perSecond, int from) {
    for (int s = from; s + MEAN <= accepted.length; s++) {
      if (acceptedPerSecond(s, s + MEAN) >= perSecond) {
        return s - from;
      }
    }
    return Double.NaN;
  }

  private static int sum(int[] counts, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      sum += counts[i];
    }
    return sum;
  }
}
