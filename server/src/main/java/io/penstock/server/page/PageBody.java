package io.penstock.server.page;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, as the API answers it. There is no count of all: it would cost what the list
 * is long.
 *
 * @param nextCursor where the next page begins; null = this is the last one
 */
public record PageBody<T>(List<T> items, boolean hasMore, @Nullable String nextCursor) {

  /** A page with nothing on it. */
  public static <T> PageBody<T> none() {
    return new PageBody<>(List.of(), false, null);
  }

  /** The items of a page, each rendered. */
  public static <S, T> PageBody<T> of(
      List<S> items, Function<S, T> render, @Nullable String nextCursor) {
    return new PageBody<>(items.stream().map(render).toList(), nextCursor != null, nextCursor);
  }
}
