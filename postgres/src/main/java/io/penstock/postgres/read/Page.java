package io.penstock.postgres.read;

import java.util.List;
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
}
