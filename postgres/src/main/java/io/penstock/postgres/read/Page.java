package io.penstock.postgres.read;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param next where the next page begins; null = this is the last one. A page may be short, even
 *     empty, and still have a next one: each page looks at a bounded number of rows
 * @param <T> the items
 * @param <C> the cursor of this list
 */
public record Page<T, C>(List<T> items, @Nullable C next) {
  /** The most items that a page may have; a bound for one answer's size. */
  public static final int MOST_ITEMS = 250;

  /** Whether there may be more. */
  public boolean hasMore() {
    return next != null;
  }

  static void check(int limit) {
    if (limit < 1 || limit > MOST_ITEMS) {
      throw new IllegalArgumentException(
          "limit: got %d, wanted 1 to %d".formatted(limit, MOST_ITEMS));
    }
  }

  /** A page of a list of which one item more than {@code limit} was asked for. */
  static <T, C> Page<T, C> of(List<T> found, int limit, Function<T, C> cursor) {
    if (found.size() <= limit) {
      return new Page<>(List.copyOf(found), null);
    }
    List<T> items = List.copyOf(found.subList(0, limit));
    return new Page<>(items, cursor.apply(items.getLast()));
  }
}
