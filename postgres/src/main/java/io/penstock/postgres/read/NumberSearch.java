package io.penstock.postgres.read;

import io.penstock.postgres.Bind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Finds where a time lies among records that are numbered as they come, by halving: some twenty
 * looks at the primary key instead of an index by time.
 */
final class NumberSearch {
  /** How much earlier than its number says a record's time may be: two nodes, one clock. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  private NumberSearch() {}

  /** A record's number and time. */
  record Place(long number, Instant at) {}

  /**
   * A number below which no record is of {@code time} or later.
   *
   * @param next the first record whose number is this or higher
   */
  static long notBelow(Instant time, long highest, LongFunction<Optional<Place>> next) {
    return time.equals(Instant.EPOCH) ? 0 : first(time.minus(SLACK), highest, next);
  }

  /** A number at and above which no record is earlier than {@code time}. */
  static long above(Instant time, long highest, LongFunction<Optional<Place>> next) {
    return time.equals(Bind.LATEST) ? Long.MAX_VALUE : first(time.plus(SLACK), highest, next);
  }

  /** The first number whose record is of this time or later. */
  private static long first(Instant time, long highest, LongFunction<Optional<Place>> next) {
    long low = 0;
    long high = highest + 1;
    while (low < high) {
      long middle = low + (high - low) / 2;
      Optional<Place> found = next.apply(middle);
      if (found.isEmpty() || !found.get().at().isBefore(time)) {
        high = middle;
      } else {
        low = found.get().number() + 1;
      }
    }
    return low;
  }
}
